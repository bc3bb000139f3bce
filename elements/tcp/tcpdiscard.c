/* TCPDiscard: discards data, and closes the connection when the peer does. */
ELEMENT(TCPDiscard)
{
	struct tcp *t = tcp_of(connections(), p);

	if (t && !pkt_len(p))
		tcp_shut(t);
	pkt_free(p);
	return STOLEN;
}
