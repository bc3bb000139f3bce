ELEMENT(Discard)
{
	count(counters, count, pkt_packets(p));
	return DROP(DISCARDED);
}

#if USERSPACE

TASK()
{
	__u32 dropped = 0;
	struct pkt *p;

	if (!var(vars)->active)
		return false;
	while (dropped < cfg.burst && (p = pull(0))) {
		discard(p, DISCARDED);
		dropped++;
	}
	count(counters, count, dropped);
	if (dropped == cfg.burst)
		task_schedule();
	return dropped > 0;
}

INIT()
{
	if (!input_is_push(0))
		task_schedule();
	return 0;
}

/* ACTIVE may have become true. */
CONTROL()
{
	return SELF(init)();
}

#endif
