#define LOOK_AFTER 10000000	/* ns */

/* Python decides whether all of them still run. */
TIMER()
{
	if (call_python(0))
		timer_after(LOOK_AFTER);
	else
		driver_stop();
}

INIT()
{
	timer_after(LOOK_AFTER);
	return 0;
}
