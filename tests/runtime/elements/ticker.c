TIMER()
{
	struct pkt *p = pkt_new(PKT_HEADROOM, 60);
	__u64 time = now();

	if (!p)
		return;
	__builtin_memcpy(pkt_data(p, 0, 8), &time, 8);
	private(ticks)->count++;
	timer_after(cfg.interval);
	emit(p, 0);
}

INIT()
{
	timer_after(cfg.interval);
	return 0;
}

CONTROL()
{
	private(ticks)->argument = argument;
	if (op == 1)
		timer_clear();
	return op == 2 ? -22 : 0;
}
