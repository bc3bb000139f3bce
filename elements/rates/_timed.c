/* A burst at most each interval. */

/* Rest until TIMER has run, even if packets arrive. After too many empty intervals, as many as a Queue in Click tolerates, stop the
 * timer: the next packet wakes the task.
 */
TASK()
{
	struct SELF(timed) *timed = private(timed);
	struct pkt *p;
	int sent = 0;

	if (timed->resting)
		return false;
	while (sent < cfg.burst && (p = pull(0))) {
		emit(p, 0);
		sent++;
	}
	if (sent) {
		timed->in_vain = 0;
	} else if (timed->in_vain == SELF(MOST_IN_VAIN)) {
		timed->due = 0;
		return false;
	} else {
		timed->in_vain++;
	}
	timed->due = (timed->due ?: now()) + cfg.interval;
	timed->resting = true;
	timer_at(timed->due);
	return sent;
}

TIMER()
{
	private(timed)->resting = false;
	task_schedule();
}
