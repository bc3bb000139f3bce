/* Fast retransmit and fast recovery (RFC 5681, 3.2, with the partial acknowledgements of RFC 6582, NewReno). */
struct STATE {
	bool recovering;
};

/* The third duplicate: the segment that is missing is sent again, and each further one lets another segment go. */
HOOK(void, duplicate_ack)
{
	const __u32 half = (t->max - t->una) / 2, least = 2u * t->mss;

	BELOW(duplicate_ack)(t);
	if (own(t)->recovering && t->cwnd < UINT32_MAX - t->mss) {
		t->cwnd += t->mss;
	} else if (!own(t)->recovering && t->duplicates == 3 && seq_before(t->recover, t->una)) {
		own(t)->recovering = t->resend = true;
		t->recover = t->max;
		t->ssthresh = half > least ? half : least;
		if (t->cwnd != UINT32_MAX)
			t->cwnd = t->ssthresh + 3u * t->mss;
	}
	tcp_ready(all(), t);
}

/* What was sent before the loss was noticed is acknowledged in part: the next segment is missing, too. Or as a whole. */
HOOK(void, new_ack, __u32 bytes)
{
	__u32 window = t->cwnd;

	BELOW(new_ack)(t, bytes);
	if (!own(t)->recovering)
		return;
	if (seq_upto(t->recover, t->una)) {
		own(t)->recovering = false;
		window = window == UINT32_MAX ? window : t->ssthresh;
	} else {
		t->resend = true;
		if (window != UINT32_MAX)
			window = (window > bytes + t->mss ? window - bytes : t->mss) + (bytes >= t->mss ? t->mss : 0);
	}
	t->cwnd = window;
}

HOOK(void, timeout)
{
	own(t)->recovering = false;
	t->recover = t->max;
	BELOW(timeout)(t);
}
