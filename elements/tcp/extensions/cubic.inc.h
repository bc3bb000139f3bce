/* CUBIC (RFC 9438), beside `slowstart`: in congestion avoidance the window follows a cubic function of the time since it was reduced, or
 * Reno's if that is larger.
 */
#define CUBIC_C 0.4
#define CUBIC_BETA 0.7
struct STATE {
	double most, prior, reno, k;	/* W_max, cwnd_prior, W_est, K: in segments and seconds */
	__u64 epoch;			/* when congestion avoidance began; 0 if it hasn't */
};

/* W_cubic, `time` after K (4.2): its inflection is where the window was reduced. */
static double PASTE(LAYER, cubic)(struct tcp *t, double time)
{
	return CUBIC_C * time * time * time + own(t)->most;
}

HOOK(__u32, reduce)
{
	const double window = (double)t->cwnd / t->mss, kept = CUBIC_BETA * tcp_flight(t), least = 2 * t->mss;

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
		own(t)->most = __builtin_fmax(own(t)->most, window);
		own(t)->k = __builtin_cbrt((own(t)->most - window) / CUBIC_C);
	}
	since = (now() - own(t)->epoch) / 1e9 - own(t)->k;
	own(t)->reno += (own(t)->reno < own(t)->prior ? 3 * (1 - CUBIC_BETA) / (1 + CUBIC_BETA) : 1) * acked / window;
	more = __builtin_fmin(PASTE(LAYER, cubic)(t, since + t->srtt / 1e9) - window, window / 2) * acked / window;
	if (PASTE(LAYER, cubic)(t, since) < own(t)->reno)
		more = own(t)->reno - window;
	return more > 0 ? more * t->mss : 0;
}

/* The time in which nothing is under way doesn't count (5.8). */
HOOK(void, send, __u32 seq, __u32 length)
{
	if (length && own(t)->epoch && t->una == t->max)
		own(t)->epoch += now() - t->sent;
	BELOW(send)(t, seq, length);
}

/* After a timeout the slow start ends where K is 0 (4.8). */
HOOK(void, timeout)
{
	BELOW(timeout)(t);
	own(t)->most = own(t)->epoch = 0;
}
