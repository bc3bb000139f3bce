/* Writing the trie that packets are routed by (ip/trie.inc.h reads it). Runtime only.
 *
 * A cell is 0, a chunk, or the number of a hop (hops.h) and above that a rank: the length of the prefix that the cell is of, and more for
 * prefixes that come before all others, whatever their lengths. A prefix takes the cells whose rank isn't higher than its own, so nothing
 * but its hop need be known of it. Each change of a cell is one store; a chunk is linked when it is complete, and one that was taken out
 * rests before it is used again, because a packet may still be reading it.
 */
#pragma once

#include "linux/hops.h"

#define CELLS_RANK_FIRST 256	/* added to the length of a prefix that comes first */
#define CELLS_RANK_STUCK 511	/* what isn't in the trie for want of room: nothing takes such a cell */

struct cells_rest {
	__s64 since;
	__u32 chunk;
};

struct cells {
	__u32 *cell, chunks;
	__u32 fresh;			/* the first chunk that was never used */
	struct cells_rest *resting;	/* a ring of `chunks` */
	__u32 first, count;
};

static inline __u32 cells_value(__u32 rank, __u32 hop)
{
	return rank << HOP_BITS | hop;
}

/* The trie in memory that is zeroed, or has been written by another instance. 0, or -ENOMEM. */
int cells_open(struct cells *t, __u32 *cell, __u32 chunks);
void cells_close(struct cells *t);
/* Give the cells of a prefix whose ranks are not higher than `rank` another value. Where chunks are wanting its packets are Linux's:
 * false. */
bool cells_set(struct cells *t, const __u8 *address, __u32 length, __u32 rank, __u32 value, __s64 time);
/* Free the chunks on the way to a prefix that was taken out, if they aren't needed any more. */
void cells_join(struct cells *t, const __u8 *address, __u32 length, __s64 time);
/* Make the trie equal to another one, cell by cell: whatever is in both stays as it is. */
void cells_merge(struct cells *t, const struct cells *from, __s64 time);
