/* A clock for the Python side, which sets it (the operation WAIT, nanoseconds) or stops it; included once for each instance. */

CONTROL()
{
	if (op == SELF(WAIT))
		timer_after(argument);
	else
		timer_clear();
	return 0;
}
