/* TCPSynSent: RFC 9293, 3.10.7.3. */

static void SELF(begin)(struct tcp *t, const struct tcp_segment *s)
{
	t->wnd = t->max_wnd = s->window;
	t->wl1 = s->seq;
	HOOK_OF(begin)(t, s->seq);
	HOOK_OF(read_options)(t, s);
	if (s->flags & TCP_ACK) {
		HOOK_OF(acknowledge)(t, s->ack);
		tcp_establish(t);
	} else {
		t->next = t->iss;
		tcp_enter(t, TCP_SYN_RECEIVED);
	}
	tcp_acknowledge(t);
}

ELEMENT(TCPSynSent)
{
	STEP(t, s);

	if (t->state != TCP_SYN_SENT)
		return OUTPUT(0);
	/* First, check the ACK bit. */
	if (s.flags & TCP_ACK && s.ack != t->max) {
		tcp_refuse(connections(), p);
		return REFUSED(FILTERED);
	}
	/* Second, check the RST bit. */
	if (s.flags & TCP_RST && s.flags & TCP_ACK) {
		connections()->counters->resets++;
		tcp_end(t);
	}
	/* Fourth, check the SYN bit. */
	if (s.flags & TCP_RST || !(s.flags & TCP_SYN))
		return REFUSED(FILTERED);
	SELF(begin)(t, &s);
	return WITHOUT_SYN(p, t, &s);
}
