/* The operation by which Python asks for the coarse clock, the time that entries of a table live by. Included once for each instance. */
CONTROL()
{
	*(__u64 *)argument = now_coarse();
	return 0;
}
