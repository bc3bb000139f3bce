/* HTTPResponder: answers HTTP requests in one segment. */
#include "tcpudp/answer.h"

#define GET 0x20544547u		/* in memory order */
#define HEAD 0x44414548u

/* Decide on the answer; false if there is none. */
static __always_inline bool SELF(decide)(struct exchange *x)
{
	const bool asks = x->word == GET || x->word == HEAD;

	if (x->flags == TCP_SYN) {
		exchange_accept(x, var(vars)->key, 0);
		return true;
	}
	x->answer_seq = x->ack;
	x->answer_ack = x->seq + x->length + !!(x->flags & TCP_FIN);
	x->answer = TCP_ACK;
	if ((x->flags & (TCP_SYN | TCP_RST | TCP_ACK)) != TCP_ACK)
		return false;
	if (!x->length)
		return x->flags & TCP_FIN;
	if (!asks || !cookie_is_acknowledged(var(vars)->key, x)) {
		x->answer = TCP_RST;
		x->answer_ack = 0;
		return true;
	}
	x->answer = TCP_FIN | TCP_ACK | TCP_PUSH;
	x->response = x->word == HEAD ? cfg.head_length : cfg.whole_length;
	x->sum = x->word == HEAD ? cfg.head_sum : cfg.whole_sum;
	return true;
}

static __always_inline int SELF(answer)(struct pkt *p, const struct exchange *x, const int before)
{
	const int data = before + (int)TCP_HEADERS;
	__u8 *to;

	if (!exchange_answer(p, x, before))
		return PUNT;
	if (x->response == cfg.whole_length && (to = pkt_data(p, data, cfg.whole_length)))
		SELF(store_whole)(to);
	else if (x->response && (to = pkt_data(p, data, cfg.head_length)))
		SELF(store_head)(to);
	return OUTPUT(0);
}

#if USERSPACE
INIT()
{
	hash_key_keep(var(vars)->key);
	return 0;
}
#endif

ELEMENT(HTTPResponder)
{
	struct exchange x;
	struct segment segment;

	if (!segment_find(p, &segment))
		return DROP_WITHOUT_HEADER(p);
	if (!USERSPACE && ip_header_length(segment.ip) > sizeof(*segment.ip))
		return PUNT;
	if (!exchange_read(p, &segment, &x) || !SELF(decide)(&x))
		return SELF(noutputs) > 1 ? OUTPUT(1) : DROP(FILTERED);
	return pkt_network_offset(p) == ETH_HLEN ? SELF(answer)(p, &x, ETH_HLEN) : SELF(answer)(p, &x, 0);
}
#undef GET
#undef HEAD
