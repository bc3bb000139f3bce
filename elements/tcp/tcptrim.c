/* TCPTrim: RFC 9293, 3.10.7.4, "first, check sequence number". */

/* Whether both sides open at once: the peer's answer repeats its SYN, with a new acknowledgement (RFC 9293, figure 8). */
static bool SELF(opens_too)(const struct tcp *t, const struct tcp_segment *s)
{
	return t->state == TCP_SYN_RECEIVED && t->opened && s->seq == t->irs && (s->flags & (TCP_SYN | TCP_ACK | TCP_RST)) == (TCP_SYN | TCP_ACK);
}

/* At a closed window, segments are accepted for their acknowledgement, so that data in both directions can't block each other. So
 * is a segment without data at the window's end: the peer sends it after filling the window when part of the data was lost.
 */
static bool SELF(is_acceptable)(const struct tcp *t, const struct tcp_segment *s)
{
	const __u32 span = tcp_span(s);

	if (t->state == TCP_SYN_RECEIVED && s->flags & TCP_SYN && s->seq == t->irs)
		return SELF(opens_too)(t, s);
	if (s->seq == t->expected || (s->seq == t->right && !span && !(s->flags & TCP_RST)))
		return true;
	return seq_before(s->seq, t->right) && seq_before(span ? t->expected : t->expected - 1, s->seq + span);
}

/* What extensions say of an acceptable segment: options of others are ignored; those of a SYN have been read. */
static bool SELF(is_believed)(struct tcp *t, const struct tcp_segment *s)
{
	if (!(s->flags & TCP_SYN))
		HOOK_OF(read_options)(t, s);
	return HOOK_OF(accept)(t, s);
}

/* End the segment, and acknowledge to correct the peer. */
static void SELF(correct)(struct tcp *t, const struct tcp_segment *s)
{
	if (s->flags & TCP_RST)
		return;
	/* A keep-alive probe. */
	if (s->seq == t->expected - 1 && SELF(is_believed)(t, s))
		t->heard = now();
	if (t->state == TCP_TIME_WAIT && s->flags & TCP_FIN && s->seq + s->length == t->fin)
		tcp_set_timer(t, TCP_TIMER_LINGER, now() + TCP_LINGER);
	if (t->state == TCP_SYN_RECEIVED && (s->flags & (TCP_SYN | TCP_ACK)) == TCP_SYN && s->seq == t->irs) {
		t->next = t->iss;
		tcp_ready(t);
	} else if (tcp_span(s) && !(s->flags & TCP_SYN)) {
		tcp_acknowledge(t);
	} else {
		tcp_challenge(t);
	}
}

static void SELF(cut_front)(struct pkt *p, const struct tcp *t, const struct tcp_segment *s)
{
	const __u32 surplus = t->expected - s->seq;

	pkt_pull(p, surplus < s->length ? surplus : s->length);
	s->header->sequence = htonl(t->expected);
}

static void SELF(cut_back)(struct pkt *p, struct tcp *t)
{
	const struct tcp_segment s = tcp_segment_of(p);
	__u32 surplus = s.seq + tcp_span(&s) - t->right;

	if ((__s32)surplus <= 0)
		return;
	if (s.flags & TCP_FIN) {
		tcp_cut_flag(&s, TCP_FIN);
		surplus--;
	}
	pkt_trim(p, s.length - (surplus < s.length ? surplus : s.length));
	tcp_acknowledge(t);
}

ELEMENT(TCPTrim)
{
	STEP(t, s);

	HOOK_OF(arrive)(t, &s);
	if (!SELF(is_acceptable)(t, &s) || !SELF(is_believed)(t, &s)) {
		SELF(correct)(t, &s);
		return REFUSED(FILTERED);
	}
	t->heard = now();
	/* The numbers of other SYNs, and of RSTs, are evidence themselves (TCPReset). */
	if (SELF(opens_too)(t, &s))
		tcp_cut_syn(t, &s);
	else if (seq_before(s.seq, t->expected) && !(s.flags & (TCP_RST | TCP_SYN)))
		SELF(cut_front)(p, t, &s);
	SELF(cut_back)(p, t);
	return OUTPUT(0);
}
