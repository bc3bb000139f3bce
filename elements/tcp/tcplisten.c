/* TCPListen: RFC 9293, 3.10.7.1 and 3.10.7.2. */

static bool SELF(is_reused)(const struct tcp *t, const struct tcp_segment *s)
{
	return t->state == TCP_TIME_WAIT && (s->flags & (TCP_SYN | TCP_RST | TCP_ACK | TCP_FIN)) == TCP_SYN &&
	       seq_before(t->expected, s->seq) && SELF(listens)(ntohs(s->header->destination));
}

/* Begin a connection, perhaps in place of one that is over, whose sequence numbers come before its own (RFC 6191). False if there is no
 * room.
 */
static bool SELF(begin)(struct pkt *p, const struct tcp_segment *s, struct tcp *over)
{
	const struct tcp_key key = tcp_key_for(p);
	const __u32 used = over ? over->max : 0;
	const bool is_again = over;
	struct tcp *t;

	if (over)
		tcp_end(over);
	t = tcp_new(connections(), &key, TCP_SYN_RECEIVED);
	if (!t)
		return false;
	if (is_again && seq_before(t->iss, used))
		tcp_begin_at(t, used);
	HOOK_OF(begin)(t, s->seq);
	HOOK_OF(read_options)(t, s);
	tcp_ready(t);
	return true;
}

/* Begin the connection whose SYN SYNCookies has answered, if the segment acknowledges that answer. */
static bool SELF(resume)(struct pkt *p, const struct tcp_segment *s)
{
	const __u32 mss = (s->flags & (TCP_SYN | TCP_RST | TCP_ACK)) == TCP_ACK ? SELF(accepted)(p) : 0;
	const struct tcp_key key = tcp_key_for(p);
	struct tcp *t = mss ? tcp_new(connections(), &key, TCP_SYN_RECEIVED) : NULL;

	if (!t)
		return false;
	tcp_begin_at(t, s->ack - 1);
	t->next = t->max = s->ack;
	HOOK_OF(begin)(t, s->seq - 1);
	t->mss = mss < tcp_own_mss(t) ? mss : tcp_own_mss(t);
	pkt_set_anno_u32(p, AGGREGATE_ANNO, t->number);
	return true;
}

ELEMENT(TCPListen)
{
	bool listens;
	SEGMENT(t, s);

	if (t && !SELF(is_reused)(t, &s))
		return OUTPUT(0);
	if (s.flags & TCP_RST)
		return REFUSED(FILTERED);
	listens = SELF(listens)(ntohs(s.header->destination));
	if (!t && listens && SELF(resume)(p, &s))
		return OUTPUT(0);
	if (!listens || s.flags & TCP_ACK)
		tcp_refuse(connections(), p);
	/* Nobody means both a beginning and an end: as in Linux, such a segment isn't answered. */
	if (!listens || (s.flags & (TCP_SYN | TCP_ACK | TCP_FIN)) != TCP_SYN)
		return REFUSED(FILTERED);
	return SELF(begin)(p, &s, t) ? DONE(p) : REFUSED(FULL);
}
