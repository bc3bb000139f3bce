/* TCPSplice: joins each connection that comes to a port with one to somewhere else. */

LASTING(struct tcp_acceptor, acceptor);

static bool SELF(accept)(struct tcp *t)
{
	struct tcp *far;

	if (ntohs(t->key.own.port) != cfg.port)
		return false;
	far = tcp_connect(t->all, cfg.src, cfg.dst, cfg.dport);
	if (!far) {
		tcp_abort(t);
		return true;
	}
	t->joined = far->number;
	far->joined = t->number;
	return true;
}

INIT()
{
	*SELF(acceptor) = (struct tcp_acceptor){SELF(accept), connections()->acceptors};
	connections()->acceptors = SELF(acceptor);
	return 0;
}

ELEMENT(TCPSplice)
{
	const struct tcp *t = tcp_of(connections(), p), *other = t ? tcp_numbered(connections(), t->joined) : NULL;

	if (!other || other == t)
		return DROP(ENDED);
	pkt_set_anno_u32(p, AGGREGATE_ANNO, other->number);
	return OUTPUT(0);
}
