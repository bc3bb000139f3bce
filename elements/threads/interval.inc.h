/* Calls Python every INTERVAL milliseconds. Included once for each instance. */
#define FIRST_AFTER 10000000	/* ns */

TIMER()
{
	call_python(0);
	timer_after(cfg.interval * 1000000ull);
}

INIT()
{
	timer_after(FIRST_AFTER);
	return 0;
}
