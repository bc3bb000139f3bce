/* TCPSynSent: RFC 9293, 3.10.7.3. */

static void SELF(begin)(struct tcp *t, const struct tcp_segment *s)
{
	struct tcp_connections *c = connections();

	t->irs = s->seq;
	t->expected = t->right = s->seq + 1;
	t->wnd = t->max_wnd = s->window;
	t->wl1 = s->seq;
	t->wl2 = s->ack;
	HOOK_OF(begin)(t);
	READ_OPTIONS(t, s);
	if (s->flags & TCP_ACK) {
		tcp_acknowledged(c, t, s->ack);
		HOOK_OF(new_ack)(t, 0);
		HOOK_OF(total_ack)(t);
		tcp_establish(c, t, now());
	} else {
		t->next = t->iss;
		tcp_enter(c, t, TCP_SYN_RECEIVED, now());
	}
	t->ack_now = true;
	tcp_ready(c, t);
}

ELEMENT(TCPSynSent)
{
	struct tcp_connections *c = connections();
	STEP(t, s);

	if (t->state != TCP_SYN_SENT)
		return OUTPUT(0);
	if (s.flags & TCP_ACK && s.ack != t->max) {
		tcp_refuse(c, p);
		return REFUSED(FILTERED);
	}
	if (s.flags & TCP_RST) {
		if (s.flags & TCP_ACK) {
			c->counters->resets++;
			tcp_end(c, t);
		}
		return REFUSED(FILTERED);
	}
	if (!(s.flags & TCP_SYN))
		return REFUSED(FILTERED);
	SELF(begin)(t, &s);
	s.header->sequence = htonl(s.seq + 1);
	s.header->flags &= ~TCP_SYN;
	return s.length || s.flags & TCP_FIN ? OUTPUT(0) : DONE(p);
}
