/* Heaps of flows by expiry, for rewriters that share a capacity. Runtime only.
 *
 * Packets of a flow postpone its expiry without updating the heap: the kernel path can't, the runtime needn't. So a key is only a
 * lower bound, corrected when it reaches the top. Code that brings a flow's expiry forward must call nat_heap_move(). All
 * operations take logarithmic time.
 */
#pragma once

#include "nat/flow.h"

struct nat_rewriter;

struct nat_item {
	__u64 key;			/* nanoseconds of now() */
	struct nat_rewriter *rewriter;
	struct nat_flow *flow;		/* its `place` is the item's index */
};

/* An empty heap is all zero. The item with the least key comes first. */
struct nat_heap {
	struct nat_item *item;
	__u32 count, room;
};

/* Change the key of the item at `place`, which is less than `count`. */
void nat_heap_move(struct nat_heap *heap, __u32 place, __u64 key);
/* Make room for one more item; false, with nothing changed, if there is no memory. */
bool nat_heap_reserve(struct nat_heap *heap);
/* Add an item, for which nat_heap_reserve() has made room. */
void nat_heap_push(struct nat_heap *heap, struct nat_item item);
/* Remove the item at `place`. */
void nat_heap_remove(struct nat_heap *heap, __u32 place);
/* Free the memory; the heap is then empty, and can be used again. */
void nat_heap_close(struct nat_heap *heap);
