/* TCPEcho: what a connection receives takes room among what it sends. */
ELEMENT(TCPEcho)
{
	struct tcp *t = tcp_of(connections(), p);

	if (!t)
		return DROP(ENDED);
	t->joined = t->number;
	return OUTPUT(0);
}
