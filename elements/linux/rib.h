/* The runtime's copy of Linux's routes, needed to find the next best route when one is removed. Runtime only. */
#pragma once

#include "linux/cells.h"

struct rib_route {
	__u8 address[16];	/* an IPv4 address is the first four bytes */
	__u32 priority, hop, next;
	__u8 length, tos;
	__u8 first : 1, several : 1, gone : 1;	/* several: Linux has others with the same values */
};

struct rib {
	struct rib_route *route;	/* number 0 is unused */
	__u32 *bucket, buckets, used, room, unused, count;
	__u32 lengths[2][129];		/* numbers of routes by length; [1] for those with precedence */
	__u64 key[2];
};

/* 0, or -ENOMEM. */
int rib_open(struct rib *rib, const __u64 key[2]);
void rib_close(struct rib *rib);
/* The route with the same prefix, priority and type of service, or NULL. */
struct rib_route *rib_find(const struct rib *rib, const struct rib_route *like);
/* Add a new route, and return its copy; NULL if there is no memory. */
struct rib_route *rib_add(struct rib *rib, const struct rib_route *route);
void rib_remove(struct rib *rib, struct rib_route *route);
/* The trie's value for a prefix: from its best route or, if it has none or a shorter prefix has precedence, from the best shorter
 * prefix.
 */
__u32 rib_value(const struct rib *rib, const __u8 *address, __u32 length);
/* Whether a route is the effective one of its prefix; if so, *value is its value in the trie. */
bool rib_counts(const struct rib *rib, const struct rib_route *route, __u32 *value);

static inline __u32 rib_rank(const struct rib_route *route)
{
	return route->length + (route->first ? CELLS_RANK_FIRST : 0);
}
