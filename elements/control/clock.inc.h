/* A timer that Python sets (the operation WAIT, nanoseconds) or stops. Included once for each instance. */

CONTROL()
{
	if (op == SELF(WAIT))
		timer_after(argument);
	else
		timer_clear();
	return 0;
}
