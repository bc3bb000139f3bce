/* The bytes of a TCP connection. */
#include "element.h"
#include "tcpnumbers.h"
#include "tcp/bytes.h"

#include <stdlib.h>

static bool tcp_ring_get(struct tcp *t, __u8 **ring)
{
	struct tcp_connections *c = t->all;

	if (*ring)
		return true;
	*ring = c->used + c->buffer <= c->memory ? malloc(c->buffer) : NULL;
	c->used += *ring ? c->buffer : 0;
	return *ring;
}

static void tcp_ring_put(struct tcp *t, __u8 **ring)
{
	t->all->used -= *ring ? t->all->buffer : 0;
	free(*ring);
	*ring = NULL;
}

void tcp_forget_bytes(struct tcp *t)
{
	tcp_ring_put(t, &t->sending);
	tcp_ring_put(t, &t->early);
	t->pieces.count = 0;
}

static void tcp_ring_store(const struct tcp *t, __u8 *ring, __u32 seq, const __u8 *bytes, __u32 length)
{
	const __u32 at = seq & (t->all->buffer - 1), after = t->all->buffer - at, first = length < after ? length : after;

	memcpy(ring + at, bytes, first);
	memcpy(ring, bytes + first, length - first);
}

static void tcp_ring_load(const struct tcp *t, const __u8 *ring, __u32 seq, __u8 *to, __u32 length)
{
	const __u32 at = seq & (t->all->buffer - 1), after = t->all->buffer - at, first = length < after ? length : after;

	memcpy(to, ring + at, first);
	memcpy(to + first, ring, length - first);
}

/* -- to send ------------------------------------------------------------------------------------------------------- */

__u32 tcp_write(struct tcp *t, const __u8 *bytes, __u32 length)
{
	const __u32 room = t->all->buffer - tcp_held(t);

	if (length > room)
		length = room;
	if (!length || t->shut || !tcp_ring_get(t, &t->sending))
		return 0;
	tcp_ring_store(t, t->sending, t->end, bytes, length);
	t->end += length;
	return length;
}

void tcp_read(const struct tcp *t, __u32 seq, __u8 *to, __u32 length)
{
	if (length)
		tcp_ring_load(t, t->sending, seq, to, length);
}

void tcp_release(struct tcp *t, __u32 ack)
{
	struct tcp *joined = tcp_numbered(t->all, t->joined);

	t->past = ack - t->una < UINT32_MAX - t->past ? t->past + (ack - t->una) : UINT32_MAX;
	t->una = ack;
	t->next = seq_later(t->next, ack);
	/* The number `end` is the FIN's. */
	if (seq_upto(t->end, ack))
		tcp_ring_put(t, &t->sending);
	/* Its window may open. */
	if (joined)
		tcp_ready(joined);
}

/* -- received beyond a gap ----------------------------------------------------------------------------------------- */

bool tcp_keep_early(struct tcp *t, __u32 seq, const __u8 *bytes, __u32 length)
{
	const __u32 end = seq + length;
	__u32 at = seq, gap;

	if (!length)
		return true;
	if (end - t->expected > t->all->buffer || !tcp_ring_get(t, &t->early))
		return false;
	/* What came first stays, so that pieces that overlap and differ make one stream, whatever their order. */
	while (gap = tcp_ranges_gap(&t->pieces, &at), seq_before(at, end)) {
		if (!gap || gap > end - at)
			gap = end - at;
		tcp_ring_store(t, t->early, at, bytes + (at - seq), gap);
		at += gap;
	}
	return tcp_ranges_add(&t->pieces, (struct tcp_range){seq, end});
}

__u32 tcp_early(struct tcp *t)
{
	tcp_ranges_cut(&t->pieces, t->expected);
	if (!t->pieces.count)
		tcp_ring_put(t, &t->early);
	return t->pieces.count && t->pieces.at[0].from == t->expected ? t->pieces.at[0].to - t->expected : 0;
}

void tcp_take_early(struct tcp *t, __u8 *to, __u32 length)
{
	tcp_ring_load(t, t->early, t->expected, to, length);
	t->expected += length;
}

__u32 tcp_right_edge(const struct tcp *t)
{
	const __u32 most = 65535u << t->own_shift, half = t->all->buffer / 2, step = half < t->mss ? half : t->mss;
	const struct tcp *sender = tcp_numbered(t->all, t->joined);
	__u32 room = t->all->buffer - (sender ? tcp_held(sender) : 0), edge;

	if (room > most)
		room = most;
	edge = t->expected + (room >> t->own_shift << t->own_shift);
	return seq_before(edge, t->right + step) ? t->right : edge;
}
