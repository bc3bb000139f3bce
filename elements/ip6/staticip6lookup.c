#include "ip6/noroute.h"

ELEMENT(StaticIP6Lookup)
{
	const __u8 *destination = p->anno + DST_IP6_ANNO;
	int hop = SELF(hop)(ntohll(ip6_high(destination)), ntohll(ip6_low(destination)));

	if (hop < 0)
		tell_no_route6(5, destination);
	return SELF(take)(p, hop);
}
