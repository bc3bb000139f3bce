#define LOOK_AFTER 10000000	/* ns */

/* Python checks whether all the elements are still scheduled. */
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
