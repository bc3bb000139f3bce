/* Slow start and congestion avoidance (RFC 5681, 3.1), from the initial window of RFC 6928, also after a pause (RFC 5681, 4.1). While a
 * loss is repaired the window stands.
 */
struct STATE {
	bool syn_lost;
};

static __u32 PASTE(LAYER, initial)(struct tcp *t)
{
	const __u32 floor = 2u * t->mss > 14600 ? 2u * t->mss : 14600;

	if (own(t)->syn_lost)
		return t->mss;
	return 10u * t->mss < floor ? 10u * t->mss : floor;
}

HOOK(__u32, window)
{
	const __u32 below = BELOW(window)(t), initial = PASTE(LAYER, initial)(t);

	/* There is none before the first data. */
	if (t->cwnd == UINT32_MAX || (t->una == t->max && t->cwnd > initial && now() - t->sent > t->rto))
		t->cwnd = initial;
	return below < (__u64)t->cwnd + t->out ? below : t->cwnd + t->out;
}

/* Equation 2: as for congestion avoidance. A window of which less than half is used proves nothing (RFC 7661, 4.3). */
HOOK(void, new_ack, __u32 bytes)
{
	__u32 more = bytes < t->mss ? bytes : t->mss;

	BELOW(new_ack)(t, bytes);
	if (t->recovering || t->max - t->una + bytes < t->cwnd / 2)
		return;
	if (t->cwnd >= t->ssthresh)
		more = TOP(avoid)(t, bytes);
	if (t->cwnd < UINT32_MAX - more)
		t->cwnd += more;
}

HOOK(void, timeout)
{
	const bool is_syn = t->una == t->iss;

	own(t)->syn_lost |= is_syn;
	/* Only the first time that data are sent again (equation 4). */
	if (!is_syn && t->tries <= 1)
		t->ssthresh = TOP(reduce)(t);
	t->cwnd = is_syn ? UINT32_MAX : t->mss;
	BELOW(timeout)(t);
}
