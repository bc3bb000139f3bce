/* TCPNormalize: follows other hosts' connections. Each direction is a connection that has sent its FIN, so it only receives. */

/* A flow of which only a SYN was seen takes one of the slots of half-open connections. */
static struct tcp *SELF(begin)(struct pkt *p, const struct tcp_segment *s)
{
	struct tcp_connections *c = connections();
	struct tcp *t = tcp_new_for(c, p);

	if (!t)
		return NULL;
	/* A joined connection isn't ended by the timer of FIN-WAIT-2, but by TIMEOUT. */
	t->joined = t->number;
	t->heard = now();
	t->expected = s->seq + !!(s->flags & TCP_SYN);
	HOOK_OF(begin)(t);
	if (c->silence)
		tcp_set_timer(c, t, TCP_TIMER_LINGER, t->heard + c->silence);
	pkt_set_anno_u32(p, AGGREGATE_ANNO, t->number);
	return t;
}

/* Whether a segment begins another connection with the same ports. */
static bool SELF(is_another)(const struct tcp *t, const struct tcp_segment *s)
{
	return s->flags & TCP_SYN && s->seq + 1 != t->expected && (t->state == TCP_SYN_RECEIVED || t->state == TCP_TIME_WAIT);
}

ELEMENT(TCPNormalize)
{
	struct tcp_connections *c = connections();
	struct tcp_segment s;
	struct tcp *t;

	if (!tcp_is_segment(p))
		return DROP(UNMARKED);
	s = tcp_segment_of(p);
	t = tcp_of(c, p);
	if (t && SELF(is_another)(t, &s)) {
		tcp_end(c, t);
		t = NULL;
	}
	if (!t && s.flags & TCP_RST)
		return REFUSED(FILTERED);
	if (!t && !(t = SELF(begin)(p, &s)))
		return REFUSED(FULL);
	if (t->state == TCP_SYN_RECEIVED && !(s.flags & TCP_SYN))
		tcp_enter(c, t, TCP_FIN_WAIT_2, now());
	t->right = t->expected + c->buffer;
	if (!(s.flags & TCP_SYN) || s.seq + 1 != t->expected)
		return OUTPUT(0);
	s.header->sequence = htonl(s.seq + 1);
	s.header->flags &= ~TCP_SYN;
	return s.length || s.flags & TCP_FIN ? OUTPUT(0) : DONE(p);
}
