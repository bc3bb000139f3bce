/* The layer below all extensions: a complete TCP by itself. */

/* RFC 6298: update the timeout by a measured round trip time. */
static void PASTE(LAYER, measured)(struct tcp *t, __u64 time)
{
	const __u64 off = t->srtt > time ? t->srtt - time : time - t->srtt;

	if (!t->srtt) {
		t->srtt = time;
		t->rttvar = time / 2;
	} else {
		t->rttvar += (__s64)(off - t->rttvar) / 4;
		t->srtt += (__s64)(time - t->srtt) / 8;
	}
	t->rto = t->srtt + 4 * t->rttvar;
	if (t->rto < t->all->rto_least)
		t->rto = t->all->rto_least;
	if (t->rto > TCP_RTO_MOST)
		t->rto = TCP_RTO_MOST;
}

HOOK(void, begin, __u32 seq)
{
	t->irs = seq;
	t->expected = t->right = seq + 1;
	t->mss = t->is_ip4 ? TCP_DEFAULT_MSS : TCP_DEFAULT_MSS6;
	t->right = tcp_right_edge(t);
}

/* The maximum segment size (RFC 9293, 3.7.1). */
HOOK(__u32, write_options, __u8 *at, __u8 flags)
{
	const __u32 mss = tcp_own_mss(t);

	if (!(flags & TCP_SYN))
		return 0;
	memcpy(at, (const __u8[]){TCP_OPTION_MSS, 4, mss >> 8, mss}, 4);
	return 4;
}

HOOK(void, read_option, const __u8 *option, __u8 flags)
{
	const __u32 own = tcp_own_mss(t);
	__u32 mss;

	if (!(flags & TCP_SYN) || option[0] != TCP_OPTION_MSS || option[1] != 4)
		return;
	mss = option[2] << 8 | option[3];
	t->mss = mss < TCP_LEAST_MSS ? TCP_LEAST_MSS : mss < own ? mss : own;
}

/* At most 40 steps. */
HOOK(void, read_options, const struct tcp_segment *s)
{
	const __u8 *option = (const __u8 *)(s->header + 1), *end = (const __u8 *)s->header + (s->header->offset >> 4) * 4;
	__u32 length;

	for (; option < end && (length = ip_option_length(option, end)) && *option != TCP_OPTION_END; option += length)
		if (*option != TCP_OPTION_NOP)
			TOP(read_option)(t, option, s->flags);
}

HOOK(bool, accept, const struct tcp_segment *s UNUSED)
{
	return true;
}

HOOK(void, acknowledge, __u32 ack)
{
	const __u32 bytes = ack - t->una;

	tcp_release(t, ack);
	TOP(new_ack)(t, bytes);
	if (t->una == t->max)
		TOP(total_ack)(t);
}

/* Measure segments that were sent only once (Karn), and restart the timer (RFC 6298, 5.3). */
HOOK(void, new_ack, __u32 bytes)
{
	const __u64 time = now();

	t->all->counters->sent += bytes;
	/* The SYN was lost (5.7). */
	if (t->tries && t->una == t->iss + 1)
		t->rto = TCP_RTO_AFTER_LOSS;
	t->tries = 0;
	t->duplicates = 0;
	if (t->recovering && seq_upto(t->recover, t->una))
		t->recovering = t->out = 0;
	/* It must not get so far behind that it seems to be ahead. */
	if (seq_before(t->recover, t->una))
		t->recover = t->una - 1;
	if (t->timed_at && seq_upto(t->timed, t->una)) {
		PASTE(LAYER, measured)(t, time - t->timed_at);
		t->timed_at = 0;
	}
	tcp_set_timer(t, TCP_TIMER_RETRANSMIT, time + t->rto);
}

HOOK(void, total_ack)
{
	tcp_set_timer(t, TCP_TIMER_RETRANSMIT, 0);
}

HOOK(void, duplicate_ack)
{
	t->duplicates++;
}

/* RFC 5681, 3.2. `cwnd` has an effect only with an extension that limits by it. */
HOOK(void, lost)
{
	t->recovering = t->resend = true;
	t->recover = t->max;
	t->ssthresh = TOP(reduce)(t);
	if (t->cwnd != UINT32_MAX)
		t->cwnd = t->ssthresh;
}

/* RFC 5681, equation 4. */
HOOK(__u32, reduce)
{
	const __u32 half = tcp_flight(t) / 2, least = 2u * t->mss;

	return half > least ? half : least;
}

/* A segment for each window that is acknowledged, by bytes, so that dividing acknowledgements gains nothing (RFC 5681, 3.1). What
 * repaired a loss doesn't count.
 */
HOOK(__u32, avoid, __u32 bytes)
{
	t->counted = seq_upto(t->una, t->recover) ? 0 : t->counted + bytes;
	if (t->counted < t->cwnd)
		return 0;
	t->counted -= t->cwnd;
	return t->mss;
}

HOOK(__u32, missing, __u32 *seq)
{
	*seq = t->una;
	return t->resend ? t->mss : 0;
}

HOOK(__u32, window)
{
	return t->wnd;
}

HOOK(void, send, __u32 seq, __u32 length)
{
	const __u64 time = now();

	if (!length)
		return;
	t->sent = time;
	if (seq_before(seq, t->max)) {
		t->all->counters->retransmitted++;
		t->timed_at = 0;
	} else if (!t->timed_at) {
		t->timed_at = time;
		t->timed = seq + length;
	}
	if (!t->deadline[TCP_TIMER_RETRANSMIT])
		tcp_set_timer(t, TCP_TIMER_RETRANSMIT, time + t->rto);
}

HOOK(void, receive_data, __u32 length)
{
	t->all->counters->received += length;
	t->ack_now = true;
}

/* RFC 6298, 5.4 to 5.6: retransmit the oldest segment, then those after it. */
HOOK(void, timeout)
{
	t->next = t->una;
	t->recover = t->max;
	t->recovering = t->out = 0;
	t->timed_at = 0;
	t->rto = t->rto * 2 < TCP_RTO_MOST ? t->rto * 2 : TCP_RTO_MOST;
}
