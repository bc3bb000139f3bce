/* TCPFin: RFC 9293, 3.10.7.4, "eighth, check the FIN bit". */

static void SELF(receive_fin)(struct tcp *t)
{
	t->expected = t->fin + 1;
	t->right = seq_later(t->right, t->expected);
	tcp_close_by(t, TCP_FIN_RECEIVED);
	tcp_acknowledge(t);
}

ELEMENT(TCPFin)
{
	struct pkt *data = NULL;
	SEGMENT(t, s);

	if (!t)
		return REFUSED(ENDED);
	if (!t->fin_known || t->expected != t->fin || s.seq + s.length != t->fin) {
		if (s.length)
			return OUTPUT(0);
		pkt_free(p);
		return STOLEN;
	}
	/* Without memory, treat the FIN as not received: it isn't acknowledged. */
	if (s.length && !(data = pkt_clone(p)))
		return OUTPUT(0);
	SELF(receive_fin)(t);
	if (data)
		emit(data, 0);
	pkt_trim(p, 0);
	return OUTPUT(0);
}
