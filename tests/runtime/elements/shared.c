PULL()
{
	private(pulls)->count++;
	return pull(0);
}
