/* The end of flows: their timeouts, and the order in which they make room for others. */
#include "element.h"
#include "natstructures.h"
#include "nat/expiry.h"

static const struct nat_timeouts *nat_timeouts_of(const struct nat_item *item)
{
	return item->rewriter->timeouts(item->flow->protocol);
}

static __u64 nat_guaranteed_until(const struct nat_item *item)
{
	const __u64 guarantee = nat_timeouts_of(item)->guarantee;

	return guarantee ? nat_seen(item->flow) + guarantee : 0;
}

static __u64 nat_expires(const struct nat_item *item)
{
	const struct nat_timeouts *timeouts = nat_timeouts_of(item);
	const struct nat_flow *flow = item->flow;

	return nat_seen(flow) + (flow->marks & NAT_UNANSWERED ? timeouts->unanswered : timeouts->stays(flow->tracked));
}

/* -- heaps --------------------------------------------------------------------------------------------------------- */

static struct nat_heap *nat_heap_of(struct nat_set *set, __u8 marks)
{
	if (marks & NAT_UNANSWERED)
		return &set->unanswered;
	return marks & NAT_GUARANTEED ? &set->guaranteed : &set->best_effort;
}

static __u64 nat_key_of(const struct nat_item *item)
{
	return item->flow->marks & NAT_GUARANTEED ? nat_guaranteed_until(item) : nat_expires(item);
}

/* The marks of a rewriter's flow that has just had a packet. */
static __u8 nat_fresh_marks(const struct nat_item *item, __u8 marks)
{
	const bool guaranteed = !(marks & NAT_UNANSWERED) && nat_timeouts_of(item)->guarantee;

	return (marks & ~NAT_GUARANTEED) | (guaranteed ? NAT_GUARANTEED : 0);
}

bool nat_enter_heap(struct nat_rewriter *r, struct nat_flow *flow)
{
	struct nat_item item = {.rewriter = r, .flow = flow};
	struct nat_heap *heap;

	nat_set(flow, marks, nat_fresh_marks(&item, flow->marks));
	heap = nat_heap_of(r->set, flow->marks);
	if (!nat_heap_reserve(heap))
		return false;
	item.key = nat_key_of(&item);
	nat_heap_push(heap, item);
	return true;
}

void nat_leave_heap(struct nat_rewriter *r, struct nat_flow *flow)
{
	nat_heap_remove(nat_heap_of(r->set, flow->marks), flow->place);
}

/* Move a flow to the heap for other marks. False, with nothing changed, if there is no memory. */
static bool nat_change_heap(struct nat_set *set, struct nat_item item, __u8 marks)
{
	struct nat_heap *to = nat_heap_of(set, marks);

	if (!nat_heap_reserve(to))
		return false;
	nat_leave_heap(item.rewriter, item.flow);
	nat_set(item.flow, marks, marks);
	item.key = nat_key_of(&item);
	nat_heap_push(to, item);
	return true;
}

/* Move a flow whose guarantee begins or is over; without memory, end it. */
static void nat_set_guarantee(struct nat_set *set, struct nat_item item, bool guaranteed)
{
	const __u8 others = item.flow->marks & ~NAT_GUARANTEED;

	if (!nat_change_heap(set, item, others | (guaranteed ? NAT_GUARANTEED : 0)))
		nat_end(item.rewriter, item.flow);
}

void nat_track(struct nat_rewriter *r, struct nat_flow *flow, __u8 tracked)
{
	struct nat_heap *heap = nat_heap_of(r->set, flow->marks);

	nat_set(flow, tracked, tracked);
	if (!(flow->marks & NAT_GUARANTEED))
		nat_heap_move(heap, flow->place, nat_expires(&heap->item[flow->place]));
}

bool nat_answer(struct nat_rewriter *r, struct nat_flow *flow, __u64 time)
{
	const struct nat_item item = {.rewriter = r, .flow = flow};
	const __u8 marks = flow->marks & ~NAT_UNANSWERED;
	const __u32 input = flow->input;

	/* nat_has_its_share() may have ended this very flow. */
	if (nat_has_its_share(r, flow->saddr[0], time) || !(flow->generation & 1) ||
	    (r->bindings && !nat_bindings_answer(r->bindings, flow))) {
		r->input[input].failures++;
		return false;
	}
	if (nat_change_heap(r->set, item, nat_fresh_marks(&item, marks)))
		return true;
	if (r->bindings)
		nat_bindings_take_back(r->bindings, flow);
	return false;
}

/* -- ends ---------------------------------------------------------------------------------------------------------- */

/* Update the first item of a heap, whose key may be too early because of later packets, until it stays first. Returns it, or NULL
 * if the heap is empty or `steps` are used up; the next call continues.
 */
static struct nat_item *nat_first(struct nat_heap *heap, __u64 (*until)(const struct nat_item *), __u32 *steps)
{
	for (; heap->count && *steps; --*steps) {
		const __u64 key = until(&heap->item[0]);

		if (key == heap->item[0].key)
			return &heap->item[0];
		nat_heap_move(heap, 0, key);
	}
	return NULL;
}

/* Move flows whose guarantee is over to best effort, and those seen again to guaranteed. Returns the best-effort flow that expires
 * first, or NULL if there is none or `steps` are used up.
 */
static struct nat_item *nat_next_to_expire(struct nat_set *set, __u64 time, __u32 *steps)
{
	struct nat_item *first;

	while ((first = nat_first(&set->guaranteed, nat_guaranteed_until, steps)) && first->key <= time)
		nat_set_guarantee(set, *first, false);
	while ((first = nat_first(&set->best_effort, nat_expires, steps)) && nat_guaranteed_until(first) > time)
		nat_set_guarantee(set, *first, true);
	return *steps ? first : NULL;
}

bool nat_make_room(struct nat_rewriter *r, const struct nat_flow *flow, __u64 time)
{
	const struct nat_item item = {.rewriter = r, .flow = (struct nat_flow *)flow};
	const bool guaranteed = nat_fresh_marks(&item, flow->marks) & NAT_GUARANTEED;
	/* A flow begun from outside replaces only expired flows of hosts. */
	const __u64 until = flow->marks & NAT_UNANSWERED ? time : nat_expires(&item);
	struct nat_set *set = r->set;
	__u32 steps = NAT_STEPS;

	for (; nat_size(set) >= *set->capacity; steps--) {
		struct nat_item *first = nat_first(&set->unanswered, nat_expires, &steps);

		if (!first) {
			first = nat_next_to_expire(set, time, &steps);
			if (!first || (!guaranteed && until < first->key))
				return false;
		}
		if (first->flow == set->kept)
			return false;
		nat_end(first->rewriter, first->flow);
	}
	return true;
}

bool nat_shrink(struct nat_set *set, __u64 time, __u32 keep, __u32 steps)
{
	struct nat_item *first;

	for (; (first = nat_first(&set->unanswered, nat_expires, &steps)) && (first->key <= time || nat_size(set) > keep); steps--)
		nat_end(first->rewriter, first->flow);
	for (; (first = nat_next_to_expire(set, time, &steps)) && (first->key <= time || nat_size(set) > keep); steps--)
		nat_end(first->rewriter, first->flow);
	for (; steps && nat_size(set) > keep && (first = nat_first(&set->guaranteed, nat_guaranteed_until, &steps)); steps--)
		nat_end(first->rewriter, first->flow);
	return steps;
}

bool nat_has_its_share(struct nat_rewriter *r, __be32 address, __u64 time)
{
	if (!r->bindings || !nat_host_is_full(r->bindings, address))
		return false;
	nat_shrink(r->set, time, *r->set->capacity, NAT_STEPS);
	return nat_host_is_full(r->bindings, address);
}
