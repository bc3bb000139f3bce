/* TCPFin: RFC 9293, 3.10.7.4, "eighth, check the FIN bit". */

static void SELF(receive_fin)(struct tcp *t)
{
	struct tcp_connections *c = connections();

	t->expected = t->fin + 1;
	t->right = seq_later(t->right, t->expected);
	t->ack_now = true;
	if (t->state == TCP_ESTABLISHED)
		tcp_enter(c, t, TCP_CLOSE_WAIT, now());
	else if (t->state == TCP_FIN_WAIT_1)
		tcp_enter(c, t, TCP_CLOSING, now());
	else if (t->state == TCP_FIN_WAIT_2)
		tcp_enter(c, t, TCP_TIME_WAIT, now());
	tcp_ready(c, t);
}

ELEMENT(TCPFin)
{
	struct pkt *end = NULL;
	struct tcp *t;

	if (!tcp_is_segment(p))
		return DROP(UNMARKED);
	t = tcp_of(connections(), p);
	if (!t)
		return REFUSED(ENDED);
	/* Without memory, treat the FIN as not received: it isn't acknowledged. */
	if (t->fin_known && t->expected == t->fin && tcp_segment_of(p).seq + pkt_len(p) == t->fin && (end = tcp_data_after(p, 0)))
		SELF(receive_fin)(t);
	if (pkt_len(p))
		emit(p, 0);
	else
		pkt_free(p);
	if (end)
		emit(end, 0);
	return STOLEN;
}
