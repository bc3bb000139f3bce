/* TCPNormalize: follows other hosts' connections. Each direction is a connection that has sent its FIN, so it only receives. */

/* A flow of which only a SYN was seen takes one of the slots of half-open connections. */
static struct tcp *SELF(begin)(struct pkt *p, const struct tcp_segment *s)
{
	const struct tcp_key key = tcp_key_for(p);
	struct tcp *t = tcp_new(connections(), &key, TCP_SYN_RECEIVED);

	if (!t)
		return NULL;
	/* A joined connection isn't ended by the timer of FIN-WAIT-2, but by TIMEOUT. */
	t->joined = t->number;
	HOOK_OF(begin)(t, s->flags & TCP_SYN ? s->seq : s->seq - 1);
	tcp_linger(t);
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
	SEGMENT(t, s);

	if (t && SELF(is_another)(t, &s)) {
		tcp_end(t);
		t = NULL;
	}
	/* Receivers ignore what has no acknowledgement, and begins or ends nothing. */
	if (!(s.flags & (TCP_SYN | TCP_RST | TCP_ACK)) || (!t && s.flags & TCP_RST))
		return REFUSED(FILTERED);
	if (!t && !(t = SELF(begin)(p, &s)))
		return REFUSED(FULL);
	/* A SYN with data, too, has what belongs to the stream (RFC 7413). */
	if (t->state == TCP_SYN_RECEIVED && (s.length || !(s.flags & TCP_SYN)))
		tcp_enter(t, TCP_FIN_WAIT_2);
	t->right = t->expected + connections()->buffer;
	return s.flags & TCP_SYN && s.seq + 1 == t->expected ? WITHOUT_SYN(p, t, &s) : OUTPUT(0);
}
