/* A binary heap of flows by expiry. */
#include "element.h"
#include "natstructures.h"
#include "nat/heap.h"

#include <stdlib.h>

static void nat_heap_put(struct nat_heap *heap, __u32 place, struct nat_item item)
{
	heap->item[place] = item;
	nat_set(item.flow, place, place);
}

/* Either direction takes at most one step for each level. */
static void nat_heap_up(struct nat_heap *heap, __u32 place, struct nat_item item)
{
	while (place && heap->item[(place - 1) / 2].key > item.key) {
		nat_heap_put(heap, place, heap->item[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	nat_heap_put(heap, place, item);
}

static void nat_heap_down(struct nat_heap *heap, __u32 place, struct nat_item item)
{
	for (;;) {
		__u32 child = 2 * place + 1;

		if (child + 1 < heap->count && heap->item[child + 1].key < heap->item[child].key)
			child++;
		if (child >= heap->count || heap->item[child].key >= item.key)
			break;
		nat_heap_put(heap, place, heap->item[child]);
		place = child;
	}
	nat_heap_put(heap, place, item);
}

void nat_heap_move(struct nat_heap *heap, __u32 place, __u64 key)
{
	struct nat_item item = heap->item[place];
	const bool earlier = key < item.key;

	item.key = key;
	if (earlier)
		nat_heap_up(heap, place, item);
	else
		nat_heap_down(heap, place, item);
}

bool nat_heap_reserve(struct nat_heap *heap)
{
	const __u32 room = heap->room ? 2 * heap->room : 64;
	struct nat_item *more;

	if (heap->count < heap->room)
		return true;
	more = realloc(heap->item, room * sizeof(*more));
	if (!more)
		return false;
	heap->item = more;
	heap->room = room;
	return true;
}

void nat_heap_push(struct nat_heap *heap, struct nat_item item)
{
	nat_heap_up(heap, heap->count++, item);
}

void nat_heap_remove(struct nat_heap *heap, __u32 place)
{
	const struct nat_item last = heap->item[--heap->count];

	if (place == heap->count)
		return;
	if (place && heap->item[(place - 1) / 2].key > last.key)
		nat_heap_up(heap, place, last);
	else
		nat_heap_down(heap, place, last);
}

void nat_heap_close(struct nat_heap *heap)
{
	free(heap->item);
	*heap = (struct nat_heap){};
}
