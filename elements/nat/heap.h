/* Which flow's time is up first, in rewriters that share a capacity. Runtime only.
 *
 * Packets of a flow move its time on without anybody telling the heap: the kernel path can't, the runtime needn't. So a key
 * is only a lower bound, corrected when it reaches the top. Whoever makes a flow's time shorter says so (nat_heap_move).
 * Each call takes a step for each level: the logarithm of the number of items.
 */
#ifndef CLICKBPF_NAT_HEAP_H
#define CLICKBPF_NAT_HEAP_H

#include "nat/flow.h"

struct nat_rewriter;

struct nat_item {
	__u64 key;			/* nanoseconds of now() */
	struct nat_rewriter *rewriter;
	struct nat_flow *flow;		/* whose `place` is the item's */
};

/* All zero is an empty heap. The item with the least key is the first. */
struct nat_heap {
	struct nat_item *item;
	__u32 count, room;
};

/* Give the item at `place`, which is less than `count`, another key. */
void nat_heap_move(struct nat_heap *heap, __u32 place, __u64 key);
/* Make room for one more item; false if there is no memory, and nothing has changed. */
bool nat_heap_reserve(struct nat_heap *heap);
/* Add an item, for which nat_heap_reserve() has made room. */
void nat_heap_push(struct nat_heap *heap, struct nat_item item);
/* Take the item at `place` out. */
void nat_heap_remove(struct nat_heap *heap, __u32 place);
/* Free its memory; it is empty then, and can be used again. */
void nat_heap_close(struct nat_heap *heap);

#endif
