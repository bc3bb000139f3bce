/* A burst at most each interval, the state `timed` (_timed.py); included once for each instance. */

/* It rests until TIMER has run, even if packets come. Without packets, the next packet wakes it rather than the timer. */
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
	if (!sent) {
		timed->due = 0;
		return false;
	}
	timed->due = (timed->due ?: now()) + cfg.interval;
	timed->resting = true;
	timer_at(timed->due);
	return true;
}

TIMER()
{
	private(timed)->resting = false;
	task_schedule();
}
