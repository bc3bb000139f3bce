/* Next hops of routes. Both executors read hops; the runtime makes them.
 *
 * A hop is a word and a gateway. The word has, from the lowest bit, 16 bits for an output + 1, or 0 for packets left to Linux; 8
 * bits for the kind; and in the upper half the longest packet or, for a group, its first bucket. A group's buckets are numbers of
 * hops, chosen by a hash of the flow. A group that replaces another gives each hop buckets by its weight, and reassigns only as
 * many as necessary, so that other flows don't move.
 *
 * The gateway becomes the packet's destination annotation (gateway.h).
 *
 * Hop 0 is Linux: for packets that it must see, and those without a known route.
 *
 * struct hop, its kinds, HOP_BITS and HOP_BUCKETS are generated: routestructures.h (_routetable.py).
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define HOP_LINUX 0
#define HOP_MOST_MEMBERS 32

/* Fields that identify flows: bits of Linux's fib_multipath_hash_fields. */
enum hop_field { FIELD_SOURCE = 1, FIELD_DESTINATION = 2, FIELD_PROTOCOL = 4, FIELD_LABEL = 8, FIELD_SOURCE_PORT = 16, FIELD_DESTINATION_PORT = 32 };
#define FIELD_ADDRESSES (FIELD_SOURCE | FIELD_DESTINATION)
#define FIELD_PORTS (FIELD_SOURCE_PORT | FIELD_DESTINATION_PORT)

/* The selected ones of the two ports. */
static inline __u32 hop_ports(const __u16 *ports, __u32 fields)
{
	return (fields & FIELD_SOURCE_PORT ? ports[0] : 0) | (fields & FIELD_DESTINATION_PORT ? (__u32)ports[1] << 16 : 0);
}

static inline __u64 hop_word(int port, __u8 kind, __u32 upper)
{
	return (__u64)upper << 32 | (__u64)kind << 16 | (__u16)(port + 1);
}

static inline __u8 hop_kind(__u64 word)
{
	return word >> 16 & 0xff;
}

struct hop_member {
	__u32 hop, weight;
};

/* The runtime's private data of a hop. */
struct hop_record {
	__u32 users, next;		/* the next in its hash chain, or in the list of free ones */
	__s64 freed;
	int port;
	__u32 members;			/* of a group */
	struct hop_member member[];
};

struct hops {
	struct hop *hop;		/* shared */
	__u32 *bucket, capacity, groups;	/* shared: [groups * HOP_BUCKETS] */
	struct hop_record **record;
	__u32 *chain;
	__u8 *block;			/* whether a group has these buckets */
	__u32 turn;			/* where to look for free buckets next, so that freed ones rest */
	__u32 fresh, oldest, newest;	/* the first never used; free ones, in the order of release */
};

/* Open with the hops that another runtime has left, without users so far. 0, or -ENOMEM. */
int hops_open(struct hops *h, struct hop *hop, __u32 capacity, __u32 *bucket, __u32 groups);
void hops_close(struct hops *h);
/* Get a reference to a hop with these properties; HOP_LINUX if there is no room. */
__u32 hops_get(struct hops *h, __u8 kind, int port, __u32 longest, const __u8 *gateway, __s64 time);
/* The same for a group of hops, whose references it takes over. `old` is the hop that it replaces. */
__u32 hops_group(struct hops *h, const struct hop_member *member, __u32 members, __u32 old, __s64 time);
void hops_put(struct hops *h, __u32 number, __s64 time);
/* Free hops that an earlier runtime has left and that have no users. */
void hops_clean(struct hops *h, __s64 time);
/* Set whether an output is usable: if not, its packets are left to Linux. */
void hops_switch(struct hops *h, int port, bool leaves);
