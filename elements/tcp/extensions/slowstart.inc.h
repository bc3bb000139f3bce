/* Slow start and congestion avoidance (RFC 5681, 3.1), from the initial window of RFC 6928. While a loss is repaired the window stands. */
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
	return below < (__u64)t->cwnd + t->out ? below : t->cwnd + t->out;
}

/* Equation 2: as for congestion avoidance. */
HOOK(void, new_ack, __u32 bytes)
{
	__u32 more = bytes < t->mss ? bytes : t->mss;

	BELOW(new_ack)(t, bytes);
	if (!own(t)->begun || t->recovering)
		return;
	if (t->cwnd >= t->ssthresh)
		more = TOP(avoid)(t, bytes);
	if (t->cwnd < UINT32_MAX - more)
		t->cwnd += more;
}

HOOK(void, timeout)
{
	/* Only the first time that a segment is sent again (equation 4). */
	if (t->tries <= 1)
		t->ssthresh = TOP(reduce)(t);
	if (own(t)->begun)
		t->cwnd = t->mss;
	BELOW(timeout)(t);
}
