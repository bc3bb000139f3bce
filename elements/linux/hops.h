/* Where routes lead to. Both executors read hops; the runtime makes them.
 *
 * A hop is a word and a gateway. The word has, from the lowest bit, 16 bits for an output + 1, 0 for packets that are Linux's; 8 bits for
 * the kind; and in the upper half the longest packet, or of a group its first bucket. A group's buckets are numbers of hops, among
 * which a hash of the flow chooses. A group that takes another's place gives each hop as many buckets as its weight demands, and changes
 * no more of them than that takes, so the other flows stay where they were.
 *
 * The gateway becomes the packet's destination annotation. For an IPv4 packet it may be an IPv6 address: one whose last eight bytes aren't
 * zero, as those of an IPv4 address are, and not its first four, which are zero if there is no gateway.
 *
 * Hop 0 is Linux: packets that it has to see, and those that nothing is known about.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define HOP_BITS 22
#define HOP_MASK ((1u << HOP_BITS) - 1)
#define HOP_LINUX 0
#define HOP_BUCKETS 128		/* of a group: a power of two */
#define HOP_MOST_MEMBERS 32

/* By what flows differ: bits of Linux's fib_multipath_hash_fields. */
enum hop_field { FIELD_SOURCE = 1, FIELD_DESTINATION = 2, FIELD_PROTOCOL = 4, FIELD_LABEL = 8, FIELD_SOURCE_PORT = 16, FIELD_DESTINATION_PORT = 32 };
#define FIELD_ADDRESSES (FIELD_SOURCE | FIELD_DESTINATION)
#define FIELD_PORTS (FIELD_SOURCE_PORT | FIELD_DESTINATION_PORT)

/* Those of the two ports that count. */
static inline __u32 hop_ports(const __u16 *ports, __u32 fields)
{
	return (fields & FIELD_SOURCE_PORT ? ports[0] : 0) | (fields & FIELD_DESTINATION_PORT ? (__u32)ports[1] << 16 : 0);
}

enum hop_kind { HOP_NONE, HOP_PLAIN, HOP_GROUP, HOP_BLACKHOLE };

struct hop {
	__u64 word;
	__u8 gateway[16];
};

static inline __u64 hop_word(int port, enum hop_kind kind, __u32 upper)
{
	return (__u64)upper << 32 | (__u64)kind << 16 | (__u16)(port + 1);
}

static inline bool hop_via6(const __u8 *gateway)
{
	return *(const __u64 *)(gateway + 8);
}

static inline enum hop_kind hop_kind(__u64 word)
{
	return word >> 16 & 0xff;
}

struct hop_member {
	__u32 hop, weight;
};

/* What only the runtime knows of a hop. */
struct hop_record {
	__u32 users, next;		/* the next in its chain, or of the free ones */
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
	__u32 turn;			/* where the next free ones are looked for, so that they rest */
	__u32 fresh, oldest, newest;	/* never used; free ones, in the order in which they became free */
};

/* Begin with what another runtime has left, which nothing here uses yet. 0, or -ENOMEM. */
int hops_open(struct hops *h, struct hop *hop, __u32 capacity, __u32 *bucket, __u32 groups);
void hops_close(struct hops *h);
/* A hop with these properties, which has one user more; HOP_LINUX if there is no room. */
__u32 hops_get(struct hops *h, enum hop_kind kind, int port, __u32 longest, const __u8 *gateway, __s64 time);
/* The same of several, whose users it takes over. `old` is the hop that they replace. */
__u32 hops_group(struct hops *h, const struct hop_member *member, __u32 members, __u32 old, __s64 time);
void hops_put(struct hops *h, __u32 number, __s64 time);
/* Forget hops that a runtime before this one has left, and that have no user. */
void hops_clean(struct hops *h, __s64 time);
/* Whether packets leave by an output: if not, they are Linux's. */
void hops_switch(struct hops *h, int port, bool leaves);
