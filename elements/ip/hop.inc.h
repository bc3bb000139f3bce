/* The route and next hop of an IPv4 address. No include guard: the text is compiled for each instance, under its own name. */
#include "ip/trie.inc.h"

/* A route's output and gateway are written in one store, and read in one load. */
union SELF(hop) {
	__u64 whole;
	struct {
		__be32 gateway;
		__s32 port;
	};
};

_Static_assert(offsetof(struct SELF(routes), gateway) % 8 == 0, "a hop is not one aligned word");

/* The number of the route, or one out of range. */
static __always_inline __u32 SELF(route)(__be32 destination)
{
	return SELF(cell)((const __u8 *)&destination, sizeof(destination)) - 1;
}
