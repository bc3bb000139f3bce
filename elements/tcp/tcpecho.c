/* TCPEcho: what a connection receives takes room among what it sends. */
ELEMENT(TCPEcho)
{
	struct tcp *t = tcp_of(connections(), p);

	if (!t)
		return DROP(ENDED);
	t->echoes = true;
	return OUTPUT(0);
}
