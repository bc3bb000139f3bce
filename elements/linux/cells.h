/* Writing the trie that packets are routed by; ip/trie.inc.h reads it. Runtime only.
 *
 * A cell is 0, a chunk, or the number of a hop (hops.h) with a rank above it: the length of the cell's prefix, plus a constant for
 * prefixes with precedence over longer ones. A prefix takes all cells in its range whose rank isn't higher than its own. Each
 * change of a cell is one store; a chunk is linked when it is complete, and rests before reuse, because a packet may still be
 * reading it.
 */
#pragma once

#include "linux/hops.h"

#define CELLS_RANK_FIRST 256	/* added to the length of a prefix with precedence */
#define CELLS_RANK_STUCK 511	/* a prefix left out for lack of room: such cells can't be taken */

struct cells_rest {
	__s64 since;
	__u32 chunk;
};

struct cells {
	__u32 *cell, chunks;
	__u32 fresh;			/* the first chunk never used */
	struct cells_rest *resting;	/* a ring of `chunks` */
	__u32 first, count;
};

static inline __u32 cells_value(__u32 rank, __u32 hop)
{
	return rank << HOP_BITS | hop;
}

/* Open a trie in memory that is zeroed, or was written by another instance. 0, or -ENOMEM. */
int cells_open(struct cells *t, __u32 *cell, __u32 chunks);
void cells_close(struct cells *t);
/* Set the cells of a prefix whose ranks are not higher than `rank`. If there are too few chunks, its packets are left to Linux:
 * false.
 */
bool cells_set(struct cells *t, const __u8 *address, __u32 length, __u32 rank, __u32 value, __s64 time);
/* Free chunks on the path to a removed prefix that aren't needed any more. */
void cells_join(struct cells *t, const __u8 *address, __u32 length, __s64 time);
/* Make the trie equal to another one, cell by cell. Equal parts aren't touched. */
void cells_merge(struct cells *t, const struct cells *from, __s64 time);
