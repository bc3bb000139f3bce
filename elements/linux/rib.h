/* Linux's routes as the runtime remembers them: what has to be known to find which one counts when another goes. Runtime only. */
#pragma once

#include "linux/cells.h"

struct rib_route {
	__u8 address[16];	/* an IPv4 address is the first four bytes */
	__u32 priority, hop, next;
	__u8 length, tos;
	__u8 first : 1, several : 1, gone : 1;	/* several: Linux has others that differ in nothing that is here */
};

struct rib {
	struct rib_route *route;	/* number 0 is none */
	__u32 *bucket, buckets, used, room, unused, count;
	__u32 lengths[2][129];		/* how many there are of each length; those that come first are [1] */
	__u64 key[2];
};

/* 0, or -ENOMEM. */
int rib_open(struct rib *rib, const __u64 key[2]);
void rib_close(struct rib *rib);
/* The route with the same prefix, priority and type of service as this one, or NULL. */
struct rib_route *rib_find(const struct rib *rib, const struct rib_route *like);
/* Add a route that isn't there, which is returned; NULL without memory. */
struct rib_route *rib_add(struct rib *rib, const struct rib_route *route);
void rib_remove(struct rib *rib, struct rib_route *route);
/* The value for a prefix in the trie: of its best route or, if a shorter one comes first or it has none, of the best shorter prefix. */
__u32 rib_value(const struct rib *rib, const __u8 *address, __u32 length);
/* Whether a route is the one of its prefix that counts; then `*value` is what it has in the trie. */
bool rib_counts(const struct rib *rib, const struct rib_route *route, __u32 *value);

static inline __u32 rib_rank(const struct rib_route *route)
{
	return route->length + (route->first ? CELLS_RANK_FIRST : 0);
}
