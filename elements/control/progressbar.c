/* The bar is drawn in Python; here is its clock, which is the router's. */

TIMER()
{
	call_python(0);
}

CONTROL()
{
	if (op == SELF(WAIT))
		timer_after(argument);
	else
		timer_clear();
	return 0;
}
