/* Slow start and congestion avoidance (RFC 5681, 3.1), from the initial window of RFC 6928. */
struct STATE {
	bool begun;
};

static __u32 PASTE(LAYER, initial)(const struct tcp *t)
{
	const __u32 floor = 2u * t->mss > 14600 ? 2u * t->mss : 14600;

	return 10u * t->mss < floor ? 10u * t->mss : floor;
}

HOOK(__u32, window)
{
	const __u32 below = BELOW(window)(t);

	if (!own(t)->begun) {
		own(t)->begun = true;
		t->cwnd = PASTE(LAYER, initial)(t);
	}
	return below < t->cwnd ? below : t->cwnd;
}

/* An acknowledgement counts for one segment at most, however the far end divides it (RFC 5681, equations 2 and 3). */
HOOK(void, new_ack, __u32 bytes)
{
	const __u32 most = bytes < t->mss ? bytes : t->mss;
	__u32 more = most;

	BELOW(new_ack)(t, bytes);
	if (t->cwnd >= t->ssthresh)
		more = (__u64)t->mss * most / t->cwnd + 1;
	if (own(t)->begun && t->cwnd < UINT32_MAX - more)
		t->cwnd += more;
}

HOOK(void, timeout)
{
	const __u32 half = (t->max - t->una) / 2, least = 2u * t->mss;

	/* Only the first time that a segment is sent again (equation 4). */
	if (t->tries <= 1)
		t->ssthresh = half > least ? half : least;
	if (own(t)->begun)
		t->cwnd = t->mss;
	BELOW(timeout)(t);
}
