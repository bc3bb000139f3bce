/* Ordered, disjoint ranges of sequence numbers: pieces beyond a gap, on either side of a connection. Runtime only. */
#pragma once

#include "element.h"

#define TCP_RANGES 16

struct tcp_range {
	__u32 from, to;
};

struct tcp_ranges {
	__u32 count;
	struct tcp_range at[TCP_RANGES];
};

static inline bool seq_before(__u32 one, __u32 other)
{
	return (__s32)(one - other) < 0;
}

static inline bool seq_upto(__u32 one, __u32 other)
{
	return (__s32)(one - other) <= 0;
}

static inline __u32 seq_later(__u32 one, __u32 other)
{
	return seq_before(one, other) ? other : one;
}

/* Add a range; false if there would be too many. At most TCP_RANGES steps. */
bool tcp_ranges_add(struct tcp_ranges *ranges, struct tcp_range new);
/* Remove everything before `seq`. */
void tcp_ranges_cut(struct tcp_ranges *ranges, __u32 seq);
/* The range with `seq`, or NULL. */
const struct tcp_range *tcp_ranges_find(const struct tcp_ranges *ranges, __u32 seq);
/* Find the first gap at or after *seq before the last range: sets *seq, and returns its length; 0 for none. */
__u32 tcp_ranges_gap(const struct tcp_ranges *ranges, __u32 *seq);
/* The number of bytes missing between two sequence numbers. */
__u32 tcp_ranges_missing(const struct tcp_ranges *ranges, __u32 from, __u32 to);
