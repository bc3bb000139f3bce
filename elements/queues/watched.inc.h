/* The operation by which Python asks for the packets in the watched Queues (_watching.py). Included once for each instance. */
CONTROL()
{
	private(drop)->waiting = watched_length();
	return 0;
}
