/* The rewriters' flows as the runtime keeps them: making, finding and ending them. */
#include "element.h"
#include "natstructures.h"
#include "nat/keeper.h"

#include <errno.h>
#include <stdlib.h>

void nat_show_size(struct nat_set *set)
{
	if (set->size)
		*set->size = nat_size(set);
}

static const struct nat_timeouts *nat_timeouts_of(const struct nat_item *item)
{
	return item->rewriter->timeouts(item->flow->protocol);
}

static __u64 nat_guaranteed_until(const struct nat_item *item)
{
	const __u64 guarantee = nat_timeouts_of(item)->guarantee;

	return guarantee ? item->flow->seen + guarantee : 0;
}

static __u64 nat_expires(const struct nat_item *item)
{
	return item->flow->seen + nat_timeouts_of(item)->stays(item->flow->tracked);
}

__u32 nat_find(const struct nat_rewriter *r, const struct nat_key *key)
{
	const __u64 hash = nat_hash(r->secret, key);
	__u32 state = 0, found;

	while ((found = index_next(&r->index, hash, &state))) {
		const struct nat_key has = nat_flow_key(&r->flow[found >> 1], found & 1);

		if (nat_same(&has, key))
			return found;
	}
	return 0;
}

/* -- numbers ------------------------------------------------------------------------------------------------------- */

static void nat_rest(struct nat_rewriter *r, __u32 number)
{
	r->flow[number].place = 0;
	if (r->resting)
		r->flow[r->resting_last].place = number;
	else
		r->resting_first = number;
	r->resting_last = number;
	r->resting++;
}

/* A number for a new flow, or 0. */
static __u32 nat_take_number(struct nat_rewriter *r)
{
	const __u32 number = r->resting_first;

	if (r->resting <= NAT_RESTING && *r->highest < r->numbers)
		return ++*r->highest;
	if (!r->resting)
		return 0;
	r->resting_first = r->flow[number].place;
	r->resting--;
	return number;
}

/* -- ends ---------------------------------------------------------------------------------------------------------- */

static struct nat_heap *nat_heap_of(struct nat_rewriter *r, const struct nat_flow *flow)
{
	return flow->marks & NAT_GUARANTEED ? &r->set->guaranteed : &r->set->best_effort;
}

static void nat_index_flow(struct nat_rewriter *r, __u32 number, bool insert)
{
	const struct nat_key key[2] = {nat_flow_key(&r->flow[number], 0), nat_flow_key(&r->flow[number], 1)};

	/* A flow that is its own reverse is found as the reverse. */
	for (int d = nat_same(&key[0], &key[1]); d < 2; d++) {
		const __u64 hash = nat_hash(r->secret, &key[d]);

		if (!insert)
			index_remove(&r->index, hash, 2 * number + d);
		else if (!index_has(&r->index, hash, 2 * number + d))
			index_insert(&r->index, hash, 2 * number + d);
	}
}

static void nat_end(struct nat_rewriter *r, struct nat_flow *flow)
{
	const __u32 number = flow - r->flow;

	nat_heap_remove(nat_heap_of(r, flow), flow->place);
	nat_index_flow(r, number, false);
	__atomic_store_n(&flow->generation, flow->generation + 1, __ATOMIC_RELEASE);
	if (r->changes) {
		nat_changes_free(r->changes[number]);
		r->changes[number] = NULL;
	}
	r->input[flow->input].count--;
	if (r->bindings)
		nat_bindings_end(r->bindings, flow);
	nat_show_size(r->set);
	nat_rest(r, number);
}

/* Put a flow into the other heap; without memory for that it ends. */
static void nat_change_heap(struct nat_set *set, struct nat_item item, bool guaranteed)
{
	struct nat_heap *to = guaranteed ? &set->guaranteed : &set->best_effort;

	if (!nat_heap_reserve(to)) {
		nat_end(item.rewriter, item.flow);
		return;
	}
	nat_heap_remove(guaranteed ? &set->best_effort : &set->guaranteed, item.flow->place);
	item.flow->marks = (item.flow->marks & ~NAT_GUARANTEED) | (guaranteed ? NAT_GUARANTEED : 0);
	item.key = guaranteed ? nat_guaranteed_until(&item) : nat_expires(&item);
	nat_heap_push(to, item);
}

/* Bring a heap's first item up to date: the item, or NULL if there is none. Packets that were seen since its key was set have
 * moved its time; the next call goes on where the `steps` of this one have ended.
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

/* Flows whose guarantee is over are kept at best effort, those that were seen again have one. The one of the former whose
 * time is up first, or NULL if there is none or it isn't found within that many steps.
 */
static struct nat_item *nat_next_to_expire(struct nat_set *set, __u64 time, __u32 *steps)
{
	struct nat_item *first;

	while ((first = nat_first(&set->guaranteed, nat_guaranteed_until, steps)) && first->key <= time)
		nat_change_heap(set, *first, false);
	while ((first = nat_first(&set->best_effort, nat_expires, steps)) && nat_guaranteed_until(first) > time)
		nat_change_heap(set, *first, true);
	return *steps ? first : NULL;
}

bool nat_shrink(struct nat_set *set, __u64 time, __u32 keep, __u32 steps)
{
	struct nat_item *first;

	for (; (first = nat_next_to_expire(set, time, &steps)) && (first->key <= time || nat_size(set) > keep); steps--)
		nat_end(first->rewriter, first->flow);
	for (; steps && nat_size(set) > keep && (first = nat_first(&set->guaranteed, nat_guaranteed_until, &steps)); steps--)
		nat_end(first->rewriter, first->flow);
	return steps;
}

void nat_end_input(struct nat_rewriter *r, __u32 input)
{
	for (__u32 number = 1; number <= *r->highest; number++)
		if (r->flow[number].generation & 1 && r->flow[number].input == input)
			nat_end(r, &r->flow[number]);
}

/* -- beginnings ---------------------------------------------------------------------------------------------------- */

/* What changing words of a packet adds to its checksums, for nat_sum(). */
static __u16 nat_delta(const __u16 *from, const __u16 *to, int words)
{
	__u64 sum = 0;

	for (int i = 0; i < words; i++)
		if (from[i] != to[i])
			sum += (__u16)~from[i] + to[i];
	return checksum_fold(sum);
}

static void nat_set_deltas(struct nat_flow *flow, const struct nat_key *from, const struct nat_key *to, bool paired)
{
	const __u16 addresses = nat_delta((const __u16 *)from, (const __u16 *)to, 4);
	/* An echo's identifier is one port only, and its checksum doesn't cover addresses. */
	const __u16 ports = nat_delta(&from->sport, &to->sport, paired ? 1 : 2);

	flow->ip_delta = addresses;
	flow->transport_delta = paired ? ports : checksum_fold((__u64)addresses + ports);
}

/* Whether a flow gets a place, guaranteed or at best effort until `expires`: another flow may have to end for it. In a full table
 * whose flows were all seen lately some packets find none, and each saves the next one steps.
 */
static bool nat_make_room(struct nat_set *set, __u64 time, bool guaranteed, __u64 expires)
{
	__u32 steps = NAT_STEPS;

	for (; nat_size(set) >= *set->capacity; steps--) {
		struct nat_item *first = nat_next_to_expire(set, time, &steps);

		if (!first || first->flow == set->kept || (!guaranteed && expires < first->key))
			return false;
		nat_end(first->rewriter, first->flow);
	}
	return true;
}

static bool nat_enter_heap(struct nat_rewriter *r, struct nat_flow *flow)
{
	struct nat_item item = {.rewriter = r, .flow = flow};

	flow->marks = (flow->marks & ~NAT_GUARANTEED) | (nat_timeouts_of(&item)->guarantee ? NAT_GUARANTEED : 0);
	item.key = flow->marks & NAT_GUARANTEED ? nat_guaranteed_until(&item) : nat_expires(&item);
	if (!nat_heap_reserve(nat_heap_of(r, flow)))
		return false;
	nat_heap_push(nat_heap_of(r, flow), item);
	return true;
}

/* A flow's endpoints are bound, and it waits for its end. False, and nothing is changed, without memory. */
static bool nat_enter(struct nat_rewriter *r, struct nat_flow *flow)
{
	if (r->bindings && !nat_bindings_add(r->bindings, flow))
		return false;
	if (nat_enter_heap(r, flow))
		return true;
	if (r->bindings)
		nat_bindings_end(r->bindings, flow);
	return false;
}

/* A flow whose fields are set begins to live, or lives on. False, and it is over, without memory. */
static bool nat_establish(struct nat_rewriter *r, __u32 number)
{
	struct nat_flow *flow = &r->flow[number];

	if (!nat_enter(r, flow)) {
		flow->generation += flow->generation & 1;
		nat_rest(r, number);
		return false;
	}
	__atomic_store_n(&flow->generation, flow->generation | 1, __ATOMIC_RELEASE);
	nat_index_flow(r, number, true);
	r->input[flow->input].count++;
	nat_show_size(r->set);
	return true;
}

__u32 nat_begin(struct nat_rewriter *r, __u32 input, const struct nat_key *key, const struct nat_key *rewritten,
			      __u8 protocol, const __u16 output[2], __u64 time)
{
	const struct nat_timeouts *timeouts = r->timeouts(protocol);
	const struct nat_key reply = nat_turned(rewritten);
	const __u32 old = nat_find(r, &reply);
	struct nat_flow *flow;
	__u32 number;

	if (output[0] >= r->outputs || output[1] >= r->outputs)
		return 0;
	/* A host that may have no more flows doesn't end those of others either. */
	if (r->bindings && nat_host_is_full(r->bindings, key->saddr) && !(old && r->flow[old >> 1].saddr[0] == key->saddr)) {
		r->input[input].failures++;
		return 0;
	}
	if (old)
		nat_end(r, &r->flow[old >> 1]);
	if (!nat_make_room(r->set, time, timeouts->guarantee, time + timeouts->stays(0)) || !(number = nat_take_number(r))) {
		r->input[input].failures++;
		return 0;
	}
	flow = &r->flow[number];
	*flow = (struct nat_flow){.saddr = {key->saddr, reply.saddr}, .daddr = {key->daddr, reply.daddr},
				  .sport = {key->sport, reply.sport}, .dport = {key->dport, reply.dport}, .space = key->space,
				  .protocol = protocol, .input = input, .output = {output[0], output[1]}, .seen = time,
				  .generation = flow->generation};
	nat_set_deltas(flow, key, rewritten, r->pairs_ports);
	return nat_establish(r, number) ? number : 0;
}

void nat_track(struct nat_rewriter *r, struct nat_flow *flow, __u8 tracked)
{
	struct nat_item *item = &nat_heap_of(r, flow)->item[flow->place];

	flow->tracked = tracked;
	if (!(flow->marks & NAT_GUARANTEED))
		nat_heap_move(&r->set->best_effort, flow->place, nat_expires(item));
}

/* -- the whole ----------------------------------------------------------------------------------------------------- */

/* Words whose flow isn't there: a runtime was interrupted. */
static void nat_clean_index(struct nat_rewriter *r)
{
	for (__u32 b = 0; b <= r->index.mask; b++) {
		for (int i = 0; i < INDEX_WORDS; i++) {
			__u64 *word = &r->index.bucket[b].word[i];
			const __u32 number = (__u32)*word >> 1;
			struct nat_key key;

			if (!*word)
				continue;
			if (number && number <= r->numbers && r->flow[number].generation & 1) {
				key = nat_flow_key(&r->flow[number], *word & 1);
				if (index_word(nat_hash(r->secret, &key), (__u32)*word) == *word)
					continue;
			}
			index_store(word, 0);
		}
	}
}

/* A difference of sequence numbers whose changes only an earlier runtime knew. */
static void nat_adopt_changes(struct nat_rewriter *r, __u32 number)
{
	struct nat_flow *flow = &r->flow[number];

	for (int d = 0; d < 2 && r->changes; d++) {
		if (!flow->sequence_delta[d])
			continue;
		if (!r->changes[number])
			r->changes[number] = calloc(1, sizeof(**r->changes));
		if (r->changes[number] && nat_change_sequence(r->changes[number], d, 0, flow->sequence_delta[d]))
			r->changes[number]->latest[d]->always = true;
	}
}

/* Find the flows that are in the shared memory already. */
static void nat_adopt(struct nat_rewriter *r)
{
	for (__u32 i = 0; i < r->inputs; i++)
		r->input[i].count = 0;
	nat_clean_index(r);
	for (__u32 number = 1; number <= *r->highest; number++) {
		if (!(r->flow[number].generation & 1))
			nat_rest(r, number);
		else if (nat_establish(r, number))
			nat_adopt_changes(r, number);
	}
}

void nat_take_over(struct nat_rewriter *r, const struct nat_flow *from, __u32 highest)
{
	for (__u32 old = 1; old <= highest && nat_size(r->set) < *r->set->capacity; old++) {
		const bool fits = from[old].generation & 1 && from[old].input < r->inputs && from[old].output[0] < r->outputs &&
				  from[old].output[1] < r->outputs;
		const __u32 number = fits ? nat_take_number(r) : 0;
		__u32 generation;

		if (!number)
			continue;
		generation = r->flow[number].generation;
		r->flow[number] = from[old];
		r->flow[number].generation = generation;
		if (nat_establish(r, number))
			nat_adopt_changes(r, number);
	}
	*r->index.outside = r->index.used;
}

int nat_open(struct nat_rewriter *r)
{
	r->resting = r->resting_first = r->resting_last = 0;
	if (r->tracks_sequence) {
		r->changes = calloc((size_t)r->numbers + 1, sizeof(*r->changes));
		if (!r->changes)
			return -ENOMEM;
	}
	nat_adopt(r);
	return 0;
}

void nat_close(struct nat_rewriter *r)
{
	for (__u32 number = 1; r->changes && number <= *r->highest; number++)
		nat_changes_free(r->changes[number]);
	free(r->changes);
	r->changes = NULL;
	index_close(&r->index);
}
