#include "ip/trie.inc.h"
#include "ip6/address.h"
#include "ip6/noroute.h"

ELEMENT(LookupIP6Route)
{
	const __u8 *destination = p->anno + DST_IP6_ANNO, *gateway;
	/* Without a route the index is out of range. */
	const struct SELF(routes) *route = at(routes, SELF(cell)(destination, 16) - 1);
	__u32 half;

	if (!route) {
		tell_no_route6(5, destination);
		return DROP(NO_ROUTE);
	}
	half = read_once(route->gateway_half) & 1;
	gateway = route->gateway + 16 * half;
	if (!ip6_is_zero(gateway))
		pkt_set_dst_ip6(p, gateway);
	return OUTPUT(half ? route->port[1] : route->port[0]);
}
