/* TCPAcknowledge: RFC 9293, 3.10.7.4, "fifth, check the ACK field". */

/* Our FIN is acknowledged. False if the connection is over. */
static bool SELF(acknowledge_fin)(struct tcp *t)
{
	if (t->state != TCP_LAST_ACK) {
		tcp_close_by(t, TCP_FIN_ACKNOWLEDGED);
		return true;
	}
	t->all->counters->ended++;
	tcp_end(t);
	return false;
}

/* What acknowledges less than others did was sent before them. So SND.WL2 isn't needed: it is never more than `una`. */
static void SELF(update_window)(struct tcp *t, const struct tcp_segment *s)
{
	const bool was_closed = !t->wnd;

	if (s->ack != t->una || seq_before(s->seq, t->wl1))
		return;
	t->wnd = s->window << t->peer_shift;
	t->wl1 = s->seq;
	if (t->wnd > t->max_wnd)
		t->max_wnd = t->wnd;
	/* The peer answers window probes. */
	if (!t->wnd)
		t->tries = 0;
	else if (was_closed && t->next != t->una)
		t->next = t->una;
}

static bool SELF(is_duplicate)(const struct tcp *t, const struct tcp_segment *s)
{
	return s->ack == t->una && !tcp_span(s) && t->una != t->max && s->window << t->peer_shift == t->wnd;
}

ELEMENT(TCPAcknowledge)
{
	STEP(t, s);

	if (!(s.flags & TCP_ACK))
		return REFUSED(FILTERED);
	if (t->state == TCP_SYN_RECEIVED) {
		if (!seq_before(t->una, s.ack) || !seq_upto(s.ack, t->max)) {
			tcp_refuse(t->all, p);
			return REFUSED(FILTERED);
		}
		t->wl1 = s.seq - 1;
		tcp_establish(t);
		if (!tcp_of(connections(), p))
			return DONE(p);
	} else if (!tcp_is_believable(t, s.ack)) {
		tcp_challenge(t);
		return REFUSED(FILTERED);
	}
	if (SELF(is_duplicate)(t, &s))
		HOOK_OF(duplicate_ack)(t);
	if (seq_before(t->una, s.ack)) {
		HOOK_OF(acknowledge)(t, s.ack);
		if (t->shut && t->una == t->end + 1 && !SELF(acknowledge_fin)(t))
			return DONE(p);
	}
	SELF(update_window)(t, &s);
	if (t->state != TCP_TIME_WAIT && t->una != t->end + t->shut)
		tcp_ready(t);
	return OUTPUT(0);
}
