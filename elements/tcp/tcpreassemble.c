/* TCPReassemble: RFC 9293, 3.10.7.4, "seventh, process the segment text". */

static bool SELF(receives)(const struct tcp *t)
{
	return t->state == TCP_ESTABLISHED || t->state == TCP_FIN_WAIT_1 || t->state == TCP_FIN_WAIT_2;
}

/* Data no longer beyond a gap, as a packet after `p`; NULL if there is none or no memory, and the data stays where it is. */
static struct pkt *SELF(next)(struct pkt *p)
{
	struct tcp_connections *c = connections();
	struct tcp *t = tcp_of(c, p);
	struct pkt *made = t && t->pieces.count ? tcp_data_after(p, tcp_own_mss(c, t)) : NULL;
	struct tcp_header *tcp;
	__u32 length;

	if (!made)
		return NULL;
	tcp = pkt_transport_header(made, sizeof(*tcp));
	tcp->sequence = htonl(t->expected);
	length = tcp_take_early(c, t, made->data, pkt_len(made));
	if (!length) {
		pkt_free(made);
		return NULL;
	}
	pkt_trim(made, length);
	HOOK_OF(receive_data)(t, length);
	t->ack_now = true;
	return made;
}

/* How many bytes of a segment in order come before those that had come beyond the gap. What is missing of the others is kept. */
static __u32 SELF(fill)(struct tcp *t, struct pkt *p, __u32 length)
{
	const __u32 before = t->pieces.count ? t->pieces.at[0].from - t->expected : length;

	if (before >= length)
		return length;
	tcp_keep_early(connections(), t, t->expected + before, p->data + before, length - before);
	pkt_trim(p, before);
	return before;
}

ELEMENT(TCPReassemble)
{
	struct tcp_connections *c = connections();
	struct pkt *next;
	__u32 length;
	STEP(t, s);

	if (!SELF(receives)(t) || !(s.length || s.flags & TCP_FIN))
		return DONE(p);
	if (s.flags & TCP_FIN && !t->fin_known) {
		t->fin_known = true;
		t->fin = s.seq + s.length;
	}
	if (t->fin_known && seq_before(t->fin, s.seq + s.length))
		return REFUSED(MALFORMED);
	tcp_ready(c, t);
	if (s.seq != t->expected) {
		t->ack_now = true;
		return tcp_keep_early(c, t, s.seq, p->data, s.length) ? DONE(p) : REFUSED(FULL);
	}
	s.header->flags = 0;
	/* What fills a gap or a part of it is acknowledged at once (RFC 5681, 4.2). */
	t->ack_now |= t->pieces.count > 0;
	length = SELF(fill)(t, p, s.length);
	t->expected += length;
	if (length)
		HOOK_OF(receive_data)(t, length);
	while ((next = SELF(next)(p))) {
		emit(p, 0);
		p = next;
	}
	emit(p, 0);
	return STOLEN;
}
