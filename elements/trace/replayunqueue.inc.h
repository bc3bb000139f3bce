/* Replay packets, pushing each at its time (see replay.inc.h). Included once for each instance.
 *
 * The including file gives a packet's output by SELF(output)(p).
 */

/* The time at which the next packet is due. */
static __u64 SELF(due)(const struct SELF(replay) *r)
{
	const struct pkt *p = r->next;

	if (!r->timing || p->timestamp <= r->packets_from)
		return r->sent_from;
	return r->sent_from + (__u64)((unsigned __int128)(p->timestamp - r->packets_from) * 100 / r->timing);
}

static void SELF(sleep)(const struct SELF(replay) *r, __u64 due)
{
	const __u64 end = r->began + cfg.stop_time * NS_PER_SECOND;

	timer_at(cfg.stop_time && end < due ? end : due);
}

TASK()
{
	struct SELF(replay) *r = private(replay);
	__u32 sent = 0;

	if (!SELF(ready)(r))
		return false;
	for (; sent < cfg.burst && r->active; sent++) {
		struct pkt *copy;
		__u64 due = SELF(due)(r);

		if (due > now()) {
			SELF(sleep)(r, due);
			return sent > 0;
		}
		copy = SELF(copy)(r);
		if (copy)
			emit(copy, SELF(output)(copy));
	}
	if (r->active)
		task_schedule();
	return true;
}

/* Make the next packet due at once, with later ones at the same intervals as before. */
static void SELF(restart)(struct SELF(replay) *r)
{
	const struct pkt *next = r->next;

	r->sent_from = now();
	r->packets_from = next->timestamp;
	if (!r->began)
		r->began = r->sent_from;
}

CONTROL()
{
	struct SELF(replay) *r = private(replay);

	if (op == SELF(RESET))
		SELF(forget)(r);
	else if (r->loaded)
		SELF(restart)(r);
	task_schedule();
	return 0;
}
