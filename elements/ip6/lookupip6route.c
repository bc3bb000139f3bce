#include "ip6/address.h"
#include "ip6/ip6.h"
#include "ip6/trie.inc.h"

/* The IPv6 addresses of a message: eight groups of an address in network byte order. */
#define GROUP(address, i) ntohs(word16((address) + 2 * (i)))

ELEMENT(LookupIP6Route)
{
	const __u8 *destination = p->anno + DST_IP6_ANNO, *gateway;
	/* Without a route this is an index out of range. */
	const struct SELF(routes) *route = at(routes, SELF(cell)(destination) - 1);
	__u32 half;

	if (!route) {
		tell(5, "%s: no route for %x:%x:%x:%x:%x:%x:%x:%x", SELF(name), GROUP(destination, 0), GROUP(destination, 1),
		     GROUP(destination, 2), GROUP(destination, 3), GROUP(destination, 4), GROUP(destination, 5),
		     GROUP(destination, 6), GROUP(destination, 7));
		return DROP(NO_ROUTE);
	}
	half = read_once(route->gateway_half) & 1;
	gateway = route->gateway + 16 * half;
	if (!ip6_is_zero(gateway))
		pkt_set_dst_ip6(p, gateway);
	return OUTPUT(half ? route->port[1] : route->port[0]);
}

#undef GROUP
