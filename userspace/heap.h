/* A binary min-heap of nodes embedded in other structures, for tasks and timers. Equal keys are served in the order of insertion:
 * tasks with the same number of tickets take turns, as in Click.
 */
#pragma once

#include "base.h"

struct heap_node {
	__u64 key;
	__u64 order;	/* of insertion */
	__u32 position;	/* in the heap, from 1; 0 outside of it */
};

/* `nodes` has room for all nodes that exist, plus one: nothing is allocated here. */
struct heap {
	__u32 size;
	__u64 inserted;
	struct heap_node **nodes;
};

static inline struct heap_node *heap_first(const struct heap *heap)
{
	return heap->size ? heap->nodes[1] : NULL;
}

static inline bool heap_before(const struct heap_node *one, const struct heap_node *other)
{
	return one->key < other->key || (one->key == other->key && one->order < other->order);
}

static inline void heap_place(struct heap *heap, struct heap_node *node, __u32 position)
{
	heap->nodes[position] = node;
	node->position = position;
}

static inline void heap_sift(struct heap *heap, struct heap_node *node, __u32 position)
{
	__u32 child;

	while (position > 1 && heap_before(node, heap->nodes[position / 2])) {
		heap_place(heap, heap->nodes[position / 2], position);
		position /= 2;
	}
	while ((child = 2 * position) <= heap->size) {
		if (child < heap->size && heap_before(heap->nodes[child + 1], heap->nodes[child]))
			child++;
		if (heap_before(node, heap->nodes[child]))
			break;
		heap_place(heap, heap->nodes[child], position);
		position = child;
	}
	heap_place(heap, node, position);
}

static inline void heap_insert(struct heap *heap, struct heap_node *node)
{
	node->order = heap->inserted++;
	heap_sift(heap, node, ++heap->size);
}

static inline void heap_remove(struct heap *heap, struct heap_node *node)
{
	struct heap_node *last = heap->nodes[heap->size--];

	if (last != node)
		heap_sift(heap, last, node->position);
	node->position = 0;
}
