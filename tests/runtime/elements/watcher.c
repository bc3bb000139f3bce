ELEMENT(Watcher)
{
	private(seen)->length = watched_length();
	return OUTPUT(0);
}
