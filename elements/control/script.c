/* The script itself runs in Python; here is its clock, which is the router's. */
TIMER()
{
	call_python(0);
}

CONTROL()
{
	if (op == 0)
		timer_after(0);
	else if (op == 1)
		timer_after(argument);
	else
		timer_clear();
	return 0;
}
