#include "ip6/noroute.h"

/* Half of an address in host order. */
static __always_inline __u64 SELF(number)(const __u8 *half)
{
	return (__u64)ntohl(word32(half)) << 32 | ntohl(word32(half + 4));
}

ELEMENT(StaticIP6Lookup)
{
	const __u8 *destination = p->anno + DST_IP6_ANNO;
	int hop = SELF(hop)(SELF(number)(destination), SELF(number)(destination + 8));

	if (hop < 0)
		tell_no_route6(5, destination);
	return SELF(take)(p, hop);
}
