/* TCP connections: the table, its lists, and timers. */
#include "element.h"
#include "tcpnumbers.h"
#include "tcp/bytes.h"
#include "tcp/packets.h"

#include <errno.h>
#include <stdlib.h>

int tcp_open(struct tcp_connections *c)
{
	__u32 buckets = 16;

	while (buckets * INDEX_WORDS < 2 * c->capacity)
		buckets *= 2;
	c->slot = calloc(c->capacity + 1, sizeof(*c->slot));
	c->generation = calloc(c->capacity + 1, sizeof(*c->generation));
	c->free = calloc(c->capacity + 1, sizeof(*c->free));
	c->heap.nodes = calloc(c->capacity + 2, sizeof(*c->heap.nodes));
	c->buckets = aligned_alloc(CACHE_LINE, buckets * sizeof(*c->buckets));
	c->peers = calloc(buckets * INDEX_WORDS, sizeof(*c->peers));
	if (!c->slot || !c->generation || !c->free || !c->heap.nodes || !c->buckets || !c->peers) {
		tcp_close(c);
		return -ENOMEM;
	}
	memset(c->buckets, 0, buckets * sizeof(*c->buckets));
	c->index = (struct index){.bucket = c->buckets, .mask = buckets - 1, .outside = &c->outside};
	for (c->spare = 0; c->spare < c->capacity; c->spare++)
		c->free[c->spare] = c->capacity - 1 - c->spare;
	c->ready_end = &c->ready;
	return 0;
}

void tcp_close(struct tcp_connections *c)
{
	struct pkt *p;

	for (__u32 i = 0; c->slot && i < c->capacity; i++) {
		if (!c->slot[i])
			continue;
		tcp_forget_bytes(c, c->slot[i]);
		free(c->slot[i]);
	}
	while ((p = c->answers)) {
		c->answers = p->next;
		pkt_free(p);
	}
	free(c->slot);
	free(c->generation);
	free(c->free);
	free(c->heap.nodes);
	free(c->buckets);
	free(c->peers);
	index_close(&c->index);
	c->slot = NULL;
	c->generation = c->free = c->peers = NULL;
	c->heap = (struct heap){};
	c->buckets = NULL;
}

struct tcp *tcp_find(const struct tcp_connections *c, const struct tcp_key *key)
{
	const __u64 hash = tcp_hash(key);
	__u32 state = 0, found;

	while ((found = index_next(&c->index, hash, &state)))
		if (!memcmp(&c->slot[found - 1]->key, key, sizeof(*key)))
			return c->slot[found - 1];
	return NULL;
}

/* -- lists --------------------------------------------------------------------------------------------------------- */

static bool tcp_is_half_open(__u8 state)
{
	return state == TCP_SYN_RECEIVED;
}

static struct tcp_list *tcp_list_of(struct tcp_connections *c, __u8 state)
{
	return tcp_is_half_open(state) ? &c->half_open : state == TCP_TIME_WAIT ? &c->over : NULL;
}

static void tcp_list_add(struct tcp_list *list, struct tcp *t)
{
	if (!list)
		return;
	t->older = list->newest;
	t->newer = NULL;
	*(list->newest ? &list->newest->newer : &list->oldest) = t;
	list->newest = t;
	list->count++;
}

static void tcp_list_remove(struct tcp_list *list, struct tcp *t)
{
	if (!list)
		return;
	*(t->older ? &t->older->newer : &list->oldest) = t->newer;
	*(t->newer ? &t->newer->older : &list->newest) = t->older;
	list->count--;
}

/* The count of the peer's connections, or of its /64 of IPv6, if this one counts: others may share it, but can't choose whose.
 * Half-open ones don't count, since anybody may send a SYN in the peer's name.
 */
static __u32 *tcp_peer(const struct tcp_connections *c, const struct tcp *t)
{
	__u64 words[3] = {0, 0, 0x7065};

	if (!c->peer_most || t->opened || t->state < TCP_ESTABLISHED || t->state == TCP_TIME_WAIT)
		return NULL;
	memcpy(words, t->key.peer, t->is_ip4 ? 16 : 8);
	return &c->peers[siphash(hash_key(), words, 3, 1, 3) & ((c->index.mask + 1) * INDEX_WORDS - 1)];
}

static void tcp_count(const struct tcp_connections *c, const struct tcp *t, int change)
{
	__u32 *peer = tcp_peer(c, t);

	if (peer)
		*peer += change;
}

void tcp_ready(struct tcp_connections *c, struct tcp *t)
{
	if (!c->output)
		return;
	if (!t->is_ready) {
		t->is_ready = true;
		t->ready = NULL;
		*c->ready_end = t;
		c->ready_end = &t->ready;
	}
	task_wake(c->output);
}

struct tcp *tcp_first_ready(struct tcp_connections *c)
{
	struct tcp *t = c->ready;

	if (!t)
		return NULL;
	c->ready = t->ready;
	if (!c->ready)
		c->ready_end = &c->ready;
	t->is_ready = false;
	return t;
}

/* Linear in the number of ready connections, which one run of the task keeps small. */
static void tcp_not_ready(struct tcp_connections *c, struct tcp *t)
{
	struct tcp **at = &c->ready;

	while (*at && *at != t)
		at = &(*at)->ready;
	if (!*at)
		return;
	*at = t->ready;
	if (!*at)
		c->ready_end = at;
}

/* -- beginnings and ends ------------------------------------------------------------------------------------------- */

static void tcp_place(struct tcp_connections *c, struct tcp *t, __u32 slot)
{
	c->slot[slot] = t;
	index_insert(&c->index, tcp_hash(&t->key), slot + 1);
	tcp_list_add(tcp_list_of(c, t->state), t);
	tcp_count(c, t, 1);
}

/* Make a slot free. Half-open connections take at most half of the slots, so that a flood of SYNs leaves room for others. */
static bool tcp_make_room(struct tcp_connections *c, __u8 state)
{
	struct tcp *oldest = NULL;

	if (tcp_is_half_open(state) && c->half_open.count >= (c->capacity + 1) / 2)
		oldest = c->half_open.oldest;
	else if (!c->spare)
		oldest = c->over.oldest ? c->over.oldest : c->half_open.oldest;
	if (oldest) {
		tcp_end(c, oldest);
		c->counters->displaced++;
	}
	return c->spare;
}

/* RFC 6528, 3: a clock plus a keyed hash of the addresses. A second word distinguishes the hash from the table's. */
static __u32 tcp_initial(const struct tcp_key *key, __u64 time)
{
	__u64 words[6];

	memcpy(words, key, sizeof(*key));
	words[5] = 0x6528;
	return (__u32)(time / TCP_TICK) + (__u32)siphash(hash_key(), words, 6, 2, 4);
}

struct tcp *tcp_new(struct tcp_connections *c, const struct tcp_key *key, __u8 state, __u64 time)
{
	struct tcp *t;
	__u32 slot;

	if (!tcp_make_room(c, state))
		return NULL;
	t = calloc(1, sizeof(*t) + c->extra);
	if (!t)
		return NULL;
	slot = c->free[--c->spare];
	t->key = *key;
	t->state = state;
	t->opened = state == TCP_SYN_SENT;
	t->number = ++c->generation[slot] << TCP_SLOT_BITS | (slot + 1);
	tcp_begin_at(t, tcp_initial(key, time));
	t->rto = 1000000000ull;
	t->cwnd = t->ssthresh = UINT32_MAX;
	tcp_place(c, t, slot);
	return t;
}

void tcp_enter(struct tcp_connections *c, struct tcp *t, __u8 state, __u64 time)
{
	tcp_list_remove(tcp_list_of(c, t->state), t);
	tcp_count(c, t, -1);
	t->state = state;
	tcp_list_add(tcp_list_of(c, state), t);
	tcp_count(c, t, 1);
	if (state == TCP_TIME_WAIT) {
		tcp_forget_bytes(c, t);
		tcp_set_timer(c, t, TCP_TIMER_RETRANSMIT, 0);
		tcp_set_timer(c, t, TCP_TIMER_DELAY, 0);
	}
	if (state == TCP_TIME_WAIT || state == TCP_FIN_WAIT_2)
		tcp_set_timer(c, t, TCP_TIMER_LINGER, time + TCP_LINGER);
	else if (state == TCP_ESTABLISHED && c->silence)
		tcp_set_timer(c, t, TCP_TIMER_LINGER, time + c->silence);
}

static void tcp_leave(struct tcp_connections *c, struct tcp *t)
{
	const __u32 slot = (t->number & ((1u << TCP_SLOT_BITS) - 1)) - 1;

	if (t->node.position)
		heap_remove(&c->heap, &t->node);
	if (t->is_ready)
		tcp_not_ready(c, t);
	tcp_list_remove(tcp_list_of(c, t->state), t);
	tcp_count(c, t, -1);
	index_remove(&c->index, tcp_hash(&t->key), slot + 1);
	c->slot[slot] = NULL;
	c->free[c->spare++] = slot;
}

void tcp_end(struct tcp_connections *c, struct tcp *t)
{
	struct tcp *other = tcp_numbered(c, t->joined);
	const bool is_shut = t->shut;

	tcp_leave(c, t);
	tcp_forget_bytes(c, t);
	free(t);
	if (!other || other == t)
		return;
	other->joined = 0;
	if (!is_shut || !other->shut)
		tcp_abort(c, other);
}

void tcp_shut(struct tcp_connections *c, struct tcp *t, __u64 time)
{
	if (t->state == TCP_SYN_SENT && !t->joined) {
		tcp_end(c, t);
		return;
	}
	t->shut = true;
	if (t->state == TCP_ESTABLISHED)
		tcp_enter(c, t, TCP_FIN_WAIT_1, time);
	else if (t->state == TCP_CLOSE_WAIT)
		tcp_enter(c, t, TCP_LAST_ACK, time);
	tcp_ready(c, t);
}

void tcp_establish(struct tcp_connections *c, struct tcp *t, __u64 time)
{
	const __u32 *peer;

	(*(t->opened ? &c->counters->opened : &c->counters->accepted))++;
	tcp_enter(c, t, t->shut ? TCP_FIN_WAIT_1 : TCP_ESTABLISHED, time);
	peer = tcp_peer(c, t);
	if (peer && *peer > c->peer_most) {
		tcp_abort(c, t);
		return;
	}
	for (struct tcp_acceptor *a = t->opened || t->joined ? NULL : c->acceptors; a && !a->accept(t);)
		a = a->next;
}

static bool tcp_choose_port(const struct tcp_connections *c, struct tcp_key *key, __u32 random)
{
	const __u32 first = 32768, ports = 65536 - first;

	/* Up to half of the ports may be in use before more than a few steps are likely. */
	for (__u32 i = 0; i < 64; i++) {
		key->own_port = htons(first + (random + i) % ports);
		if (!tcp_find(c, key))
			return true;
	}
	return false;
}

struct tcp *tcp_connect(struct tcp_connections *c, const __u8 *own, const __u8 *peer, __u16 port, __u32 random, __u64 time)
{
	struct tcp_key key = {.peer_port = htons(port)};
	struct tcp *t;

	ip6_copy(key.own, own);
	ip6_copy(key.peer, peer);
	t = tcp_choose_port(c, &key, random) ? tcp_new(c, &key, TCP_SYN_SENT, time) : NULL;
	if (!t)
		return NULL;
	t->is_ip4 = tcp_is_mapped(own);
	t->mss = TCP_DEFAULT_MSS;
	t->heard = time;
	tcp_ready(c, t);
	return t;
}

/* Copy what extensions know that are in both; false if there are others. */
static bool tcp_take_own(const struct tcp_connections *c, struct tcp *t, const struct tcp_connections *from, const struct tcp *old)
{
	bool all = c->extra == from->extra;

	memset(t->own, 0, c->extra);
	for (const struct tcp_layer *to = c->layers; to->is; to++) {
		const struct tcp_layer *at = from->layers;

		while (at->is && (at->is != to->is || at->end - at->begin != to->end - to->begin))
			at++;
		all &= at->is != 0;
		memcpy(&t->own[to->begin], &old->own[at->begin], at->is ? (to->end - to->begin) * sizeof(*t->own) : 0);
	}
	return all;
}

__u32 tcp_take(struct tcp_connections *c, struct tcp_connections *from)
{
	__u32 left = 0;

	for (__u32 slot = 0; slot < from->capacity; slot++) {
		struct tcp *t = from->slot[slot], *moved;

		if (!t)
			continue;
		moved = slot < c->capacity && !c->slot[slot] && c->buffer == from->buffer && c->used < c->memory ?
				realloc(NULL, sizeof(*t) + c->extra) : NULL;
		if (!moved) {
			left++;
			continue;
		}
		memcpy(moved, t, sizeof(*t));
		if (!tcp_take_own(c, moved, from, t))
			moved->out = moved->recovering = moved->reports = 0;
		from->used -= (!!t->sending.at + !!t->early.at) * (__u64)from->buffer;
		c->used += (!!t->sending.at + !!t->early.at) * (__u64)c->buffer;
		t->sending.at = t->early.at = NULL;
		moved->node.position = 0;
		moved->is_ready = false;
		c->generation[slot] = t->number >> TCP_SLOT_BITS;
		t->joined = 0;
		tcp_end(from, t);
		tcp_place(c, moved, slot);
		tcp_set_timer(c, moved, TCP_TIMER_DELAY, moved->deadline[TCP_TIMER_DELAY]);
		if (c->silence && (moved->state == TCP_ESTABLISHED || moved->state == TCP_CLOSE_WAIT))
			tcp_set_timer(c, moved, TCP_TIMER_LINGER, moved->heard + c->silence);
		tcp_ready(c, moved);
	}
	for (__u32 slot = c->spare = 0; slot < c->capacity; slot++)
		if (!c->slot[c->capacity - 1 - slot])
			c->free[c->spare++] = c->capacity - 1 - slot;
	for (__u32 slot = 0; slot < c->capacity; slot++)
		if (c->slot[slot] && c->slot[slot]->joined && !tcp_numbered(c, c->slot[slot]->joined))
			tcp_abort(c, c->slot[slot]);
	return left;
}

/* -- timers -------------------------------------------------------------------------------------------------------- */

void tcp_set_timer(struct tcp_connections *c, struct tcp *t, int timer, __u64 when)
{
	const struct heap_node *first = heap_first(&c->heap);
	__u64 least = 0;

	t->deadline[timer] = when;
	for (int i = 0; i < TCP_TIMERS; i++)
		if (t->deadline[i] && (!least || t->deadline[i] < least))
			least = t->deadline[i];
	if (t->node.position && t->node.key == least)
		return;
	if (t->node.position)
		heap_remove(&c->heap, &t->node);
	if (!least)
		return;
	t->node.key = least;
	heap_insert(&c->heap, &t->node);
	if (c->timer && (heap_first(&c->heap) == &t->node || !first))
		timer_start(c->timer, least);
}

/* -- what may be forged -------------------------------------------------------------------------------------------- */

void tcp_challenge(struct tcp_connections *c, struct tcp *t, __u64 time)
{
	if (t->challenged && time - t->challenged < TCP_CHALLENGE_PAUSE)
		return;
	t->challenged = time;
	t->ack_now = true;
	c->counters->challenges++;
	tcp_ready(c, t);
}
