/* Ordered, disjoint ranges of sequence numbers: pieces beyond a gap, on either side of a connection. Runtime only. */
#pragma once

#include "element.h"
#include "ip/transport.h"

#define TCP_RANGES 16

struct tcp_range {
	__u32 from, to;
};

struct tcp_ranges {
	__u32 count;
	struct tcp_range at[TCP_RANGES];
};

/* Add a range; false if there would be too many. At most TCP_RANGES steps. */
static inline bool tcp_ranges_add(struct tcp_ranges *ranges, struct tcp_range new)
{
	struct tcp_range *at = ranges->at;
	__u32 first = 0, last;

	while (first < ranges->count && seq_before(at[first].to, new.from))
		first++;
	for (last = first; last < ranges->count && seq_upto(at[last].from, new.to); last++) {
		if (seq_before(at[last].from, new.from))
			new.from = at[last].from;
		new.to = seq_later(new.to, at[last].to);
	}
	if (first == last && ranges->count == TCP_RANGES)
		return false;
	memmove(&at[first + 1], &at[last], (ranges->count - last) * sizeof(new));
	ranges->count += first + 1 - last;
	at[first] = new;
	return true;
}

/* Remove everything before `seq`. */
static inline void tcp_ranges_cut(struct tcp_ranges *ranges, __u32 seq)
{
	__u32 over = 0;

	while (over < ranges->count && seq_upto(ranges->at[over].to, seq))
		over++;
	ranges->count -= over;
	memmove(ranges->at, &ranges->at[over], ranges->count * sizeof(ranges->at[0]));
	if (ranges->count)
		ranges->at[0].from = seq_later(ranges->at[0].from, seq);
}

/* The range with `seq`, or NULL. */
static inline const struct tcp_range *tcp_ranges_find(const struct tcp_ranges *ranges, __u32 seq)
{
	for (__u32 i = 0; i < ranges->count; i++)
		if (seq_upto(ranges->at[i].from, seq) && seq_before(seq, ranges->at[i].to))
			return &ranges->at[i];
	return NULL;
}

/* Find the first gap at or after *seq before the last range: sets *seq, and returns its length; 0 for none. */
static inline __u32 tcp_ranges_gap(const struct tcp_ranges *ranges, __u32 *seq)
{
	for (__u32 i = 0; i < ranges->count; i++) {
		if (seq_before(*seq, ranges->at[i].from))
			return ranges->at[i].from - *seq;
		*seq = seq_later(*seq, ranges->at[i].to);
	}
	return 0;
}

/* The number of bytes missing between two sequence numbers. */
static inline __u32 tcp_ranges_missing(const struct tcp_ranges *ranges, __u32 from, __u32 to)
{
	__u32 missing = 0, bytes;

	while ((bytes = tcp_ranges_gap(ranges, &from)) && seq_before(from, to)) {
		missing += seq_before(to, from + bytes) ? to - from : bytes;
		from += bytes;
	}
	return seq_before(from, to) ? missing + to - from : missing;
}
