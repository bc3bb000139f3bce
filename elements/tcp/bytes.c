/* The bytes of a TCP connection. */
#include "element.h"
#include "tcpnumbers.h"
#include "tcp/bytes.h"

#include <stdlib.h>

static bool tcp_ring_get(struct tcp_connections *c, struct tcp_ring *ring)
{
	if (ring->at)
		return true;
	if (c->used + c->buffer > c->memory)
		return false;
	ring->at = malloc(c->buffer);
	if (!ring->at)
		return false;
	c->used += c->buffer;
	return true;
}

static void tcp_ring_put(struct tcp_connections *c, struct tcp_ring *ring)
{
	if (!ring->at)
		return;
	free(ring->at);
	ring->at = NULL;
	c->used -= c->buffer;
}

void tcp_forget_bytes(struct tcp_connections *c, struct tcp *t)
{
	tcp_ring_put(c, &t->sending);
	tcp_ring_put(c, &t->early);
	t->pieces.count = 0;
}

static void tcp_ring_store(const struct tcp_connections *c, struct tcp_ring *ring, __u32 seq, const __u8 *bytes, __u32 length)
{
	const __u32 at = seq & (c->buffer - 1), first = length < c->buffer - at ? length : c->buffer - at;

	memcpy(ring->at + at, bytes, first);
	memcpy(ring->at, bytes + first, length - first);
}

static void tcp_ring_load(const struct tcp_connections *c, const struct tcp_ring *ring, __u32 seq, __u8 *to, __u32 length)
{
	const __u32 at = seq & (c->buffer - 1), first = length < c->buffer - at ? length : c->buffer - at;

	memcpy(to, ring->at + at, first);
	memcpy(to + first, ring->at, length - first);
}

/* -- to send ------------------------------------------------------------------------------------------------------- */

__u32 tcp_write(struct tcp_connections *c, struct tcp *t, const __u8 *bytes, __u32 length)
{
	const __u32 room = c->buffer - tcp_held(t);

	if (length > room)
		length = room;
	if (!length || t->shut || !tcp_ring_get(c, &t->sending))
		return 0;
	tcp_ring_store(c, &t->sending, t->end, bytes, length);
	t->end += length;
	return length;
}

void tcp_read(const struct tcp_connections *c, const struct tcp *t, __u32 seq, __u8 *to, __u32 length)
{
	if (length)
		tcp_ring_load(c, &t->sending, seq, to, length);
}

void tcp_acknowledged(struct tcp_connections *c, struct tcp *t, __u32 ack)
{
	struct tcp *joined = tcp_numbered(c, t->joined);

	t->past = ack - t->una < UINT32_MAX - t->past ? t->past + (ack - t->una) : UINT32_MAX;
	t->una = ack;
	t->next = seq_later(t->next, ack);
	/* The number `end` is the FIN's. */
	if (seq_upto(t->end, ack))
		tcp_ring_put(c, &t->sending);
	/* Its window may open. */
	if (joined)
		tcp_ready(c, joined);
}

/* -- received beyond a gap ----------------------------------------------------------------------------------------- */

/* What came first stays, so that pieces that overlap and differ make one stream, whatever their order. */
static void tcp_ring_fill(const struct tcp_connections *c, struct tcp *t, __u32 seq, const __u8 *bytes, __u32 length)
{
	const __u32 end = seq + length;
	__u32 at = seq, gap;

	for (gap = tcp_ranges_gap(&t->pieces, &at); seq_before(at, end); gap = tcp_ranges_gap(&t->pieces, &at)) {
		if (!gap || gap > end - at)
			gap = end - at;
		tcp_ring_store(c, &t->early, at, bytes + (at - seq), gap);
		at += gap;
	}
}

bool tcp_keep_early(struct tcp_connections *c, struct tcp *t, __u32 seq, const __u8 *bytes, __u32 length)
{
	if (!length)
		return true;
	if (seq + length - t->expected > c->buffer || !tcp_ring_get(c, &t->early))
		return false;
	tcp_ring_fill(c, t, seq, bytes, length);
	return tcp_ranges_add(&t->pieces, (struct tcp_range){seq, seq + length});
}

__u32 tcp_take_early(struct tcp_connections *c, struct tcp *t, __u8 *to, __u32 most)
{
	__u32 length = 0;

	tcp_ranges_cut(&t->pieces, t->expected);
	if (t->pieces.count && t->pieces.at[0].from == t->expected) {
		length = t->pieces.at[0].to - t->expected;
		if (length > most)
			length = most;
		tcp_ring_load(c, &t->early, t->expected, to, length);
		t->expected += length;
	}
	if (!t->pieces.count)
		tcp_ring_put(c, &t->early);
	return length;
}

__u32 tcp_right_edge(const struct tcp_connections *c, const struct tcp *t)
{
	const __u32 most = 65535u << t->own_shift;
	const struct tcp *sender = tcp_numbered(c, t->joined);
	__u32 room = c->buffer - (sender ? tcp_held(sender) : 0);

	if (room > most)
		room = most;
	return seq_later(t->right, t->expected + (room >> t->own_shift << t->own_shift));
}
