/* CUBIC (RFC 9438), beside `slowstart`: in congestion avoidance the window follows a cubic function of the time since it was reduced,
 * with its inflection where that was, and is no smaller than Reno's would be. Windows are counted in segments.
 */
struct STATE {
	double most, prior, reno, k;	/* W_max, cwnd_prior, W_est, K */
	__u64 epoch;			/* when congestion avoidance began; 0 if it hasn't */
};

HOOK(__u32, reduce)
{
	const double window = (double)t->cwnd / t->mss, kept = CUBIC_BETA * tcp_flight(t), least = 2.0 * t->mss;

	own(t)->most = window < own(t)->most ? window * (1 + CUBIC_BETA) / 2 : window;
	own(t)->prior = window;
	own(t)->epoch = 0;
	return kept > least ? kept : least;
}

HOOK(__u32, avoid, __u32 bytes)
{
	const double window = (double)t->cwnd / t->mss, acked = (double)bytes / t->mss;
	double since, more;

	if (!own(t)->epoch) {
		own(t)->epoch = now();
		own(t)->reno = window;
		own(t)->most = window < own(t)->most ? own(t)->most : window;
		own(t)->k = cubic_k(own(t)->most - window);
	}
	since = (now() - own(t)->epoch) / 1e9 - own(t)->k;
	own(t)->reno += (own(t)->reno < own(t)->prior ? CUBIC_ALPHA : 1) * acked / window;
	more = cubic_window(own(t)->most, since + t->srtt / 1e9) - window;
	more = (more < window / 2 ? more : window / 2) * acked / window;
	if (cubic_window(own(t)->most, since) < own(t)->reno)
		more = own(t)->reno - window;
	return more > 0 ? more * t->mss : 0;
}

/* The time in which nothing is under way doesn't count (5.8). */
HOOK(void, send, __u32 seq, __u32 length)
{
	if (own(t)->epoch && t->una == t->max)
		own(t)->epoch += now() - t->heard;
	BELOW(send)(t, seq, length);
}

/* After a timeout the slow start ends where K is 0 (4.8). */
HOOK(void, timeout)
{
	BELOW(timeout)(t);
	own(t)->most = own(t)->epoch = 0;
}
