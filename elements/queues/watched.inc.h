/* CONTROL for Python (_watching.py): the number of packets in the watched Queues. Included once for each instance. */
CONTROL()
{
	private(drop)->waiting = watched_length();
	return 0;
}
