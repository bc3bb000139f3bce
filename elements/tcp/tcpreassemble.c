/* TCPReassemble: RFC 9293, 3.10.7.4, "seventh, process the segment text". */

/* Data no longer beyond a gap, as a packet after `p`; NULL if there is none or no memory, and the data stays where it is. */
static struct pkt *SELF(next)(struct pkt *p)
{
	struct tcp *t = tcp_of(connections(), p);
	__u32 length = t ? tcp_early(t) : 0;
	struct pkt *next = length ? pkt_clone(p) : NULL;

	if (!next)
		return NULL;
	length = length < tcp_own_mss(t) ? length : tcp_own_mss(t);
	pkt_trim(next, 0);
	if (!pkt_put(next, length)) {
		pkt_free(next);
		return NULL;
	}
	tcp_segment_of(next).header->sequence = htonl(t->expected);
	tcp_take_early(t, next->data, length);
	HOOK_OF(receive_data)(t, length);
	t->ack_now = true;
	return next;
}

ELEMENT(TCPReassemble)
{
	struct pkt *next;
	STEP(t, s);

	/* In the states after FIN-WAIT-2 the peer has sent its FIN. */
	if (t->state < TCP_ESTABLISHED || t->state > TCP_FIN_WAIT_2 || !(s.length || s.flags & TCP_FIN))
		return DONE(p);
	if (s.flags & TCP_FIN && !t->fin_known) {
		t->fin_known = true;
		t->fin = s.seq + s.length;
	}
	if (t->fin_known && seq_before(t->fin, s.seq + s.length))
		return REFUSED(MALFORMED);
	tcp_ready(t);
	if (s.seq != t->expected) {
		t->ack_now = true;
		return tcp_keep_early(t, s.seq, p->data, s.length) ? DONE(p) : REFUSED(FULL);
	}
	s.header->flags = 0;
	/* What fills a gap or a part of it is acknowledged at once (RFC 5681, 4.2). */
	t->ack_now |= t->pieces.count > 0;
	/* Of bytes that have come beyond the gap, too, the first copy counts. */
	if (s.length && t->pieces.count && tcp_keep_early(t, s.seq, p->data, s.length)) {
		while ((next = SELF(next)(p)))
			emit(next, 0);
		pkt_free(p);
		return STOLEN;
	}
	t->expected += s.length;
	if (s.length)
		HOOK_OF(receive_data)(t, s.length);
	return OUTPUT(0);
}
