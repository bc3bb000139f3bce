/* TCPAcknowledge: RFC 9293, 3.10.7.4, "fifth, check the ACK field". */

/* Our FIN is acknowledged. False if the connection is over. */
static bool SELF(acknowledge_fin)(struct tcp *t)
{
	struct tcp_connections *c = connections();

	if (t->state == TCP_FIN_WAIT_1) {
		tcp_enter(c, t, TCP_FIN_WAIT_2, now());
	} else if (t->state == TCP_CLOSING) {
		tcp_enter(c, t, TCP_TIME_WAIT, now());
	} else if (t->state == TCP_LAST_ACK) {
		c->counters->ended++;
		tcp_end(c, t);
		return false;
	}
	return true;
}

/* Process a new acknowledgement. False if the connection is over. */
static bool SELF(advance)(struct tcp *t, __u32 ack)
{
	const __u32 bytes = ack - t->una;

	tcp_acknowledged(connections(), t, ack);
	HOOK_OF(new_ack)(t, bytes);
	if (t->una == t->max)
		HOOK_OF(total_ack)(t);
	return !t->shut || t->una != t->end + 1 || SELF(acknowledge_fin)(t);
}

static void SELF(update_window)(struct tcp *t, const struct tcp_segment *s)
{
	const bool was_closed = !t->wnd;

	if (!seq_before(t->wl1, s->seq) && !(t->wl1 == s->seq && seq_upto(t->wl2, s->ack)))
		return;
	t->wnd = s->window << t->peer_shift;
	t->wl1 = s->seq;
	t->wl2 = s->ack;
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
	return s->ack == t->una && !s->length && !(s->flags & TCP_FIN) && t->una != t->max && s->window << t->peer_shift == t->wnd;
}

ELEMENT(TCPAcknowledge)
{
	struct tcp_connections *c = connections();
	STEP(t, s);

	if (!(s.flags & TCP_ACK))
		return REFUSED(FILTERED);
	if (t->state == TCP_SYN_RECEIVED) {
		if (!seq_before(t->una, s.ack) || !seq_upto(s.ack, t->max)) {
			tcp_refuse(c, p);
			return REFUSED(FILTERED);
		}
		t->wl1 = s.seq - 1;
		tcp_establish(c, t, now());
		if (!tcp_of(c, p))
			return DONE(p);
	} else if (!tcp_is_believable(t, s.ack)) {
		tcp_challenge(c, t, now());
		return REFUSED(FILTERED);
	}
	if (SELF(is_duplicate)(t, &s))
		HOOK_OF(duplicate_ack)(t);
	if (seq_before(t->una, s.ack) && !SELF(advance)(t, s.ack))
		return DONE(p);
	SELF(update_window)(t, &s);
	if (t->state != TCP_TIME_WAIT && t->una != t->end + t->shut)
		tcp_ready(c, t);
	return OUTPUT(0);
}
