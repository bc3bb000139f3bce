PULL()
{
	(void)output;
	private(pulls)->count++;
	return pull(0);
}
