/* Routing a packet by a table. No include guard: the text is compiled for each instance, under its own name. */
#include "ip/hop.inc.h"

/* Returns the packet's output, and sets its next hop. `lost` is the result for a packet without a route; it is reported in the name
 * of `table`, unless that is NULL.
 */
static __always_inline int SELF(forward)(struct pkt *p, const char *table, const int lost)
{
	__be32 destination = pkt_dst_ip(p);
	/* Without a route the index is out of range. */
	const struct SELF(routes) *route = at(routes, SELF(route)(destination));
	union SELF(hop) hop;

	if (!route) {
		if (table)
			tell_no_route(table, 5, destination);
		return lost;
	}
	hop.whole = read_once(*(const __u64 *)&route->gateway);
	if (hop.gateway)
		pkt_set_dst_ip(p, hop.gateway);
	return OUTPUT(hop.port);
}
