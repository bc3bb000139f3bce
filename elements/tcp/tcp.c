/* TCP connections: the table, its lists, and timers. */
#include "element.h"
#include "tcpnumbers.h"
#include "tcp/bytes.h"
#include "tcp/packets.h"

#include <errno.h>
#include <stdlib.h>

static void tcp_collect_free(struct tcp_connections *c)
{
	c->free = 0;
	for (__u32 slot = c->capacity; slot--;) {
		if (c->slot[slot].t)
			continue;
		c->slot[slot].next = c->free;
		c->free = slot + 1;
	}
}

int tcp_open(struct tcp_connections *c)
{
	__u32 buckets = 16;

	while (buckets * INDEX_WORDS < 2 * c->capacity)
		buckets *= 2;
	c->slot = calloc(c->capacity, sizeof(*c->slot));
	c->heap.nodes = calloc(c->capacity + 1, sizeof(*c->heap.nodes));
	c->peers = calloc(buckets * INDEX_WORDS, sizeof(*c->peers));
	c->index = (struct index){aligned_alloc(CACHE_LINE, buckets * sizeof(*c->index.bucket)), buckets - 1, &c->outside};
	if (!c->slot || !c->heap.nodes || !c->peers || !c->index.bucket) {
		tcp_close(c);
		return -ENOMEM;
	}
	memset(c->index.bucket, 0, buckets * sizeof(*c->index.bucket));
	tcp_collect_free(c);
	link_begin(&c->half_open);
	link_begin(&c->over);
	link_begin(&c->ready);
	return 0;
}

void tcp_close(struct tcp_connections *c)
{
	for (__u32 i = 0; c->slot && i < c->capacity; i++) {
		if (!c->slot[i].t)
			continue;
		tcp_forget_bytes(c->slot[i].t);
		free(c->slot[i].t);
	}
	while (c->answering)
		pkt_free(c->answers[--c->answering]);
	free(c->slot);
	free(c->heap.nodes);
	free(c->peers);
	index_close(&c->index);
	free(c->index.bucket);
	*c = (struct tcp_connections){};
}

/* -- finding ------------------------------------------------------------------------------------------------------- */

static __u64 tcp_hash(const struct tcp_key *key)
{
	return siphash(hash_key(), (const __u64 *)key, 5, 1, 3) | 1ull << 63;
}

struct tcp *tcp_find(const struct tcp_connections *c, const struct tcp_key *key)
{
	const __u64 hash = tcp_hash(key);
	__u32 state = 0, found;

	while ((found = index_next(&c->index, hash, &state)))
		if (!memcmp(&c->slot[found - 1].t->key, key, sizeof(*key)))
			return c->slot[found - 1].t;
	return NULL;
}

/* The count of the peer's connections, or of its /64 of IPv6: others may share it, but can't choose whose. */
static __u32 *tcp_peer(const struct tcp *t)
{
	const struct tcp_connections *c = t->all;
	__u64 words[3] = {0, 0, 0x7065};

	memcpy(words, t->key.peer.address, t->is_ip4 ? 16 : 8);
	return &c->peers[siphash(hash_key(), words, 3, 1, 3) & ((c->index.mask + 1) * INDEX_WORDS - 1)];
}

/* Be in the list of the state, and count in it, or no longer. Half-open connections count for the limit of all such, not for the peer's,
 * since anybody may send a SYN in its name.
 */
static void tcp_be_in_state(struct tcp *t, bool is_in)
{
	struct tcp_connections *c = t->all;
	const int change = is_in ? 1 : -1;

	if (t->state == TCP_SYN_RECEIVED)
		c->half_open_count += change;
	else if (c->peer_most && !t->opened && t->state >= TCP_ESTABLISHED && t->state != TCP_TIME_WAIT)
		*tcp_peer(t) += change;
	link_remove(&t->aged);
	if (is_in && (t->state == TCP_SYN_RECEIVED || t->state == TCP_TIME_WAIT))
		link_add(t->state == TCP_SYN_RECEIVED ? &c->half_open : &c->over, &t->aged);
}

static void tcp_place(struct tcp_connections *c, struct tcp *t)
{
	t->all = c;
	c->slot[tcp_slot(t->number)].t = t;
	index_insert(&c->index, tcp_hash(&t->key), tcp_slot(t->number) + 1);
	link_begin(&t->aged);
	link_begin(&t->ready);
	tcp_be_in_state(t, true);
}

static void tcp_leave(struct tcp *t)
{
	struct tcp_connections *c = t->all;
	struct tcp_slot *slot = &c->slot[tcp_slot(t->number)];

	if (t->node.position)
		heap_remove(&c->heap, &t->node);
	link_remove(&t->ready);
	tcp_be_in_state(t, false);
	index_remove(&c->index, tcp_hash(&t->key), tcp_slot(t->number) + 1);
	slot->t = NULL;
	slot->next = c->free;
	c->free = slot - c->slot + 1;
}

/* -- beginnings and ends ------------------------------------------------------------------------------------------- */

/* Make a slot free. Half-open connections take at most half of the slots, so that a flood of SYNs leaves room for others. */
static bool tcp_make_room(struct tcp_connections *c, __u8 state)
{
	struct tcp *oldest = NULL;

	if (state == TCP_SYN_RECEIVED && c->half_open_count >= (c->capacity + 1) / 2)
		oldest = link_first(&c->half_open, struct tcp, aged);
	else if (!c->free)
		oldest = link_first(link_is_alone(&c->over) ? &c->half_open : &c->over, struct tcp, aged);
	if (oldest) {
		tcp_end(oldest);
		c->counters->displaced++;
	}
	return c->free;
}

/* RFC 6528, 3: a clock plus a keyed hash of the addresses. A second word distinguishes the hash from the table's. */
static __u32 tcp_initial(const struct tcp_key *key)
{
	__u64 words[6];

	memcpy(words, key, sizeof(*key));
	words[5] = 0x6528;
	return (__u32)(now() / TCP_TICK) + (__u32)siphash(hash_key(), words, 6, 2, 4);
}

struct tcp *tcp_new(struct tcp_connections *c, const struct tcp_key *key, __u8 state)
{
	struct tcp *t = tcp_make_room(c, state) ? calloc(1, sizeof(*t) + c->extra) : NULL;
	struct tcp_slot *slot;

	if (!t)
		return NULL;
	slot = &c->slot[c->free - 1];
	t->key = *key;
	t->is_ip4 = tcp_is_mapped(key->own.address);
	t->state = state;
	t->opened = state == TCP_SYN_SENT;
	t->number = ++slot->generation << TCP_SLOT_BITS | c->free;
	t->heard = now();
	t->mss = TCP_DEFAULT_MSS;
	t->rto = TCP_RTO_FIRST;
	t->cwnd = t->ssthresh = UINT32_MAX;
	tcp_begin_at(t, tcp_initial(key));
	c->free = slot->next;
	tcp_place(c, t);
	return t;
}

struct tcp *tcp_connect(struct tcp_connections *c, const __u8 *own, const __u8 *peer, __u16 port)
{
	const __u32 first = 32768, ports = 65536 - first, random = random_u32();
	struct tcp_key key = {.peer.port = htons(port)};
	struct tcp *t;

	ip6_copy(key.own.address, own);
	ip6_copy(key.peer.address, peer);
	/* Up to half of the ports may be in use before more than a few steps are likely. */
	for (__u32 i = 0; i < 64; i++) {
		key.own.port = htons(first + (random + i) % ports);
		if (tcp_find(c, &key))
			continue;
		t = tcp_new(c, &key, TCP_SYN_SENT);
		if (t)
			tcp_ready(t);
		return t;
	}
	return NULL;
}

void tcp_enter(struct tcp *t, __u8 state)
{
	tcp_be_in_state(t, false);
	t->state = state;
	tcp_be_in_state(t, true);
	tcp_linger(t);
	if (state != TCP_TIME_WAIT)
		return;
	tcp_forget_bytes(t);
	tcp_set_timer(t, TCP_TIMER_RETRANSMIT, 0);
	tcp_set_timer(t, TCP_TIMER_DELAY, 0);
}

void tcp_close_by(struct tcp *t, enum tcp_event event)
{
	static const __u8 next[][TCP_TIME_WAIT + 1] = {
		[TCP_SHUT] = {[TCP_ESTABLISHED] = TCP_FIN_WAIT_1, [TCP_CLOSE_WAIT] = TCP_LAST_ACK},
		[TCP_FIN_ACKNOWLEDGED] = {[TCP_FIN_WAIT_1] = TCP_FIN_WAIT_2, [TCP_CLOSING] = TCP_TIME_WAIT},
		[TCP_FIN_RECEIVED] = {[TCP_ESTABLISHED] = TCP_CLOSE_WAIT, [TCP_FIN_WAIT_1] = TCP_CLOSING, [TCP_FIN_WAIT_2] = TCP_TIME_WAIT},
	};

	if (next[event][t->state])
		tcp_enter(t, next[event][t->state]);
}

void tcp_establish(struct tcp *t)
{
	const struct tcp_connections *c = t->all;

	(*(t->opened ? &c->counters->opened : &c->counters->accepted))++;
	tcp_enter(t, t->shut ? TCP_FIN_WAIT_1 : TCP_ESTABLISHED);
	if (c->peer_most && !t->opened && *tcp_peer(t) > c->peer_most) {
		tcp_abort(t);
		return;
	}
	for (struct tcp_acceptor *a = t->opened || t->joined ? NULL : c->acceptors; a && !a->accept(t);)
		a = a->next;
}

void tcp_shut(struct tcp *t)
{
	if (t->state == TCP_SYN_SENT && !t->joined) {
		tcp_end(t);
		return;
	}
	t->shut = true;
	tcp_close_by(t, TCP_SHUT);
	tcp_ready(t);
}

void tcp_end(struct tcp *t)
{
	struct tcp *other = tcp_numbered(t->all, t->joined);
	const bool is_shut = t->shut;

	tcp_leave(t);
	tcp_forget_bytes(t);
	free(t);
	if (!other || other == t)
		return;
	other->joined = 0;
	if (!is_shut || !other->shut)
		tcp_abort(other);
}

/* -- moving -------------------------------------------------------------------------------------------------------- */

/* Copy what extensions know that are in both; false if there are others. */
static bool tcp_take_own(struct tcp *t, const struct tcp_layer *to, const struct tcp *old, const struct tcp_layer *layers)
{
	bool all = true;

	for (; to->is; to++) {
		const __u32 words = to->end - to->begin;
		const struct tcp_layer *from = layers;

		while (from->is && (from->is != to->is || from->end - from->begin != words))
			from++;
		all &= from->is != 0;
		memcpy(&t->own[to->begin], &old->own[from->begin], from->is ? words * sizeof(*t->own) : 0);
	}
	return all;
}

/* Move a connection to another router; false if there is no room for it. */
static bool tcp_move(struct tcp_connections *c, struct tcp *t)
{
	struct tcp_connections *from = t->all;
	const __u32 slot = tcp_slot(t->number), bytes = (!!t->sending + !!t->early) * from->buffer;
	struct tcp *moved = NULL;

	if (slot < c->capacity && !c->slot[slot].t && c->buffer == from->buffer && c->used < c->memory)
		moved = calloc(1, sizeof(*t) + c->extra);
	if (!moved)
		return false;
	tcp_leave(t);
	*moved = *t;
	if (!tcp_take_own(moved, c->layers, t, from->layers) || c->extra != from->extra)
		moved->out = moved->recovering = moved->reports = 0;
	free(t);
	from->used -= bytes;
	c->used += bytes;
	c->slot[slot].generation = moved->number >> TCP_SLOT_BITS;
	tcp_place(c, moved);
	tcp_set_timer(moved, TCP_TIMER_DELAY, moved->deadline[TCP_TIMER_DELAY]);
	tcp_linger(moved);
	tcp_ready(moved);
	return true;
}

__u32 tcp_take(struct tcp_connections *c, struct tcp_connections *from)
{
	__u32 left = 0;

	for (__u32 slot = 0; slot < from->capacity; slot++)
		left += from->slot[slot].t && !tcp_move(c, from->slot[slot].t);
	tcp_collect_free(c);
	for (__u32 slot = 0; slot < c->capacity; slot++) {
		struct tcp *t = c->slot[slot].t;

		if (t && t->joined && !tcp_numbered(c, t->joined))
			tcp_abort(t);
	}
	return left;
}

/* -- what there is to do ------------------------------------------------------------------------------------------- */

void tcp_set_timer(struct tcp *t, int timer, __u64 when)
{
	struct tcp_connections *c = t->all;
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

void tcp_linger(struct tcp *t)
{
	const bool is_short = t->state == TCP_TIME_WAIT || (t->state == TCP_FIN_WAIT_2 && !t->joined);
	const __u64 most = is_short ? TCP_LINGER : t->all->silence;

	if (most)
		tcp_set_timer(t, TCP_TIMER_LINGER, t->heard + most);
}

void tcp_ready(struct tcp *t)
{
	if (!t->all->output)
		return;
	if (link_is_alone(&t->ready))
		link_add(&t->all->ready, &t->ready);
	task_wake(t->all->output);
}

void tcp_acknowledge(struct tcp *t)
{
	t->ack_now = true;
	tcp_ready(t);
}

void tcp_challenge(struct tcp *t)
{
	if (t->challenged && now() - t->challenged < TCP_CHALLENGE_PAUSE)
		return;
	t->challenged = now();
	t->all->counters->challenges++;
	tcp_acknowledge(t);
}
