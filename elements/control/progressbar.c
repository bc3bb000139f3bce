/* The bar is drawn in Python; here is its clock, which is the router's. */
enum { SELF(WAIT), SELF(CLEAR) };

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
