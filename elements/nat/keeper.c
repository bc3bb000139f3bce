/* The runtime's table of rewriters' flows: making, finding and ending them. */
#include "element.h"
#include "natstructures.h"
#include "nat/expiry.h"

#include <errno.h>
#include <stdlib.h>

void nat_show_size(struct nat_set *set)
{
	if (set->size)
		*set->size = nat_size(set);
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
	nat_set(&r->flow[number], place, 0);
	if (r->resting)
		nat_set(&r->flow[r->resting_last], place, number);
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

static void nat_index_flow(struct nat_rewriter *r, __u32 number, bool insert)
{
	const struct nat_key key[2] = {nat_flow_key(&r->flow[number], 0), nat_flow_key(&r->flow[number], 1)};

	/* A flow that is its own reverse is indexed as direction 1 only. */
	for (int d = nat_same(&key[0], &key[1]); d < 2; d++) {
		const __u64 hash = nat_hash(r->secret, &key[d]);

		if (!insert)
			index_remove(&r->index, hash, 2 * number + d);
		else if (!index_has(&r->index, hash, 2 * number + d))
			index_insert(&r->index, hash, 2 * number + d);
	}
}

void nat_end(struct nat_rewriter *r, struct nat_flow *flow)
{
	const __u32 number = flow - r->flow;

	nat_leave_heap(r, flow);
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

void nat_end_input(struct nat_rewriter *r, __u32 input)
{
	for (__u32 number = 1; number <= *r->highest; number++)
		if (r->flow[number].generation & 1 && r->flow[number].input == input)
			nat_end(r, &r->flow[number]);
}

/* -- beginnings ---------------------------------------------------------------------------------------------------- */

/* The difference, for nat_sum(), that a change of words makes to checksums. */
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
	/* An echo's identifier is in one port only, and its checksum doesn't cover addresses. */
	const __u16 ports = nat_delta(&from->sport, &to->sport, paired ? 1 : 2);

	flow->ip_delta = addresses;
	flow->transport_delta = paired ? ports : checksum_fold((__u64)addresses + ports);
}

/* Bind a flow's endpoints, and put it into a heap. False, with nothing changed, if there is no memory. */
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

/* Bring a flow whose fields are set to life, or adopt it. If there is no memory, end it and return false. */
static bool nat_establish(struct nat_rewriter *r, __u32 number)
{
	struct nat_flow *flow = &r->flow[number];

	if (!nat_enter(r, flow)) {
		nat_set(flow, generation, flow->generation + (flow->generation & 1));
		nat_rest(r, number);
		return false;
	}
	__atomic_store_n(&flow->generation, flow->generation | 1, __ATOMIC_RELEASE);
	nat_index_flow(r, number, true);
	r->input[flow->input].count++;
	nat_show_size(r->set);
	return true;
}

static struct nat_flow nat_flow_of(const struct nat_birth *birth, __u64 time, bool paired)
{
	const struct nat_key *key = &birth->key, reply = nat_turned(&birth->rewritten);
	struct nat_flow flow = {.saddr = {key->saddr, reply.saddr}, .daddr = {key->daddr, reply.daddr},
				.sport = {key->sport, reply.sport}, .dport = {key->dport, reply.dport}, .space = key->space,
				.protocol = birth->protocol, .input = birth->input, .output = {birth->output[0], birth->output[1]},
				.marks = birth->unanswered ? NAT_UNANSWERED : 0, .seen = time};

	nat_set_deltas(&flow, key, &birth->rewritten, paired);
	return flow;
}

/* An existing flow with the same replies, or NULL. */
static struct nat_flow *nat_in_the_way(struct nat_rewriter *r, const struct nat_flow *flow)
{
	const struct nat_key reply = nat_flow_key(flow, 1);
	const __u32 found = nat_find(r, &reply);

	return found ? &r->flow[found >> 1] : NULL;
}

/* Whether adding the flow would exceed its host's share. A flow that it replaces isn't counted. */
static bool nat_is_beyond_share(struct nat_rewriter *r, const struct nat_flow *flow)
{
	const struct nat_flow *old = nat_in_the_way(r, flow);

	if (flow->marks & NAT_UNANSWERED || (old && !(old->marks & NAT_UNANSWERED) && old->saddr[0] == flow->saddr[0]))
		return false;
	return nat_has_its_share(r, flow->saddr[0], flow->seen);
}

__u32 nat_begin(struct nat_rewriter *r, const struct nat_birth *birth, __u64 time)
{
	struct nat_flow flow = nat_flow_of(birth, time, r->pairs_ports), *old;
	__u32 number;

	if (birth->output[0] >= r->outputs || birth->output[1] >= r->outputs)
		return 0;
	/* Check the host's share first, so that a host beyond it doesn't end other flows either. */
	if (nat_is_beyond_share(r, &flow)) {
		r->input[birth->input].failures++;
		return 0;
	}
	old = nat_in_the_way(r, &flow);
	if (old)
		nat_end(r, old);
	if (!nat_make_room(r, &flow, time) || !(number = nat_take_number(r))) {
		r->input[birth->input].failures++;
		return 0;
	}
	flow.generation = r->flow[number].generation;
	nat_store(&r->flow[number], &flow);
	return nat_establish(r, number) ? number : 0;
}

/* -- the whole ----------------------------------------------------------------------------------------------------- */

/* Remove index words without a flow, which an interrupted runtime has left. */
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

/* Adopt a difference of sequence numbers; the changes that made it are lost with the earlier runtime. */
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

/* Adopt the flows in the shared memory. */
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

/* Take an earlier rewriter's flows with (or without) NAT_UNANSWERED, as far as there is room. */
static void nat_take_those(struct nat_rewriter *r, const struct nat_flow *from, __u32 highest, __u8 unanswered)
{
	for (__u32 old = 1; old <= highest && nat_size(r->set) < *r->set->capacity; old++) {
		const bool fits = from[old].generation & 1 && from[old].input < r->inputs && from[old].output[0] < r->outputs &&
				  from[old].output[1] < r->outputs && (from[old].marks & NAT_UNANSWERED) == unanswered;
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
}

void nat_take_over(struct nat_rewriter *r, const struct nat_flow *from, __u32 highest)
{
	nat_take_those(r, from, highest, 0);
	nat_take_those(r, from, highest, NAT_UNANSWERED);
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
