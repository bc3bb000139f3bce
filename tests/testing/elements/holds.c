ELEMENT(Holds)
{
	if (private(held)->packet)
		return DROP(FULL);
	private(held)->packet = p;
	timer_after(cfg.seconds * 1000000000ull);
	return STOLEN;
}

TIMER()
{
	emit(private(held)->packet, 0);
	private(held)->packet = NULL;
}

CLEANUP()
{
	if (private(held)->packet)
		pkt_free(private(held)->packet);
}
