/* TCPReset: RFC 9293, 3.10.7.4, "second, check the RST bit" and "fourth, check the SYN bit"; RFC 5961, 3 and 4. */
ELEMENT(TCPReset)
{
	STEP(t, s);

	if (!(s.flags & (TCP_RST | TCP_SYN)))
		return OUTPUT(0);
	if (s.flags & TCP_RST && s.seq == t->expected) {
		connections()->counters->resets++;
		tcp_end(t);
	} else {
		tcp_challenge(t);
	}
	return REFUSED(FILTERED);
}
