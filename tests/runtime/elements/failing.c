INIT()
{
	return -22;
}

CLEANUP()
{
	__builtin_trap();	/* never initialised, so never cleaned up */
}
