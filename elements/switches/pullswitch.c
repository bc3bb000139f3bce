/* PullSwitch: pulls from one input, which handlers can change. */
PULL()
{
	(void)output;
	return pull(private(selection)->input);	/* NULL where there is no such input */
}

/* Another input was chosen, which may have packets. */
CONTROL()
{
	(void)op;
	(void)argument;
	wake_pullers();
	return 0;
}
