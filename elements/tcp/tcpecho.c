/* TCPEcho: received data takes room in the send buffer. */
ELEMENT(TCPEcho)
{
	struct tcp *t = tcp_of(connections(), p);

	if (!t)
		return DROP(ENDED);
	t->joined = t->number;
	return OUTPUT(0);
}
