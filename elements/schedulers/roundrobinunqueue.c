/* Push up to BURST packets from the current input, or with BURST 0 all of its packets; returns their number. */
static __u64 SELF(take_turn)(struct SELF(turn) *turn)
{
	__u32 port = turn->next;
	__u64 taken = 0;
	struct pkt *p;

	turn->next = port + 1 < SELF(ninputs) ? port + 1 : 0;
	while ((!cfg.burst || taken < cfg.burst) && (p = pull(port))) {
		taken++;
		emit(p, port);
	}
	turn->packets += taken;
	return taken;
}

TASK()
{
	struct SELF(turn) *turn = private(turn);

	for (__u32 i = 0; i < SELF(ninputs); i++) {
		if (SELF(take_turn)(turn)) {
			task_schedule();
			return true;
		}
	}
	return false;	/* new packets wake the task */
}
