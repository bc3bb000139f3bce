/* SYNCookies: answers SYNs. */
#include "tcpudp/answer.h"

/* The maximum segment sizes that a cookie can encode, as in Linux. */
#define MSS_OF(data) ((data) == 3 ? 1460 : (data) == 2 ? 1440 : (data) == 1 ? 1300 : 536)

static __always_inline void SELF(accept)(struct exchange *x, __u32 mss)
{
	const __u32 data = mss >= 1460 ? 3 : mss >= 1440 ? 2 : mss >= 1300 ? 1 : 0;

	exchange_accept(x, var(vars)->key, data);
	x->options = htonl(0x02040000 | 1460);
}

#if USERSPACE
/* For TCPListen: the maximum segment size of a peer that acknowledges a cookie, or 0. */
static __u32 SELF(accepted)(struct pkt *p)
{
	struct segment segment;
	struct exchange x;

	if (!pkt_network_header(p, sizeof(struct iphdr)) || !segment_find(p, &segment) || !exchange_read(p, &segment, &x))
		return 0;
	return cookie_is_acknowledged(var(vars)->key, &x) ? MSS_OF((x.ack - 1) & COOKIE_DATA) : 0;
}

INIT()
{
	hash_key_keep(var(vars)->key);
	return 0;
}
#endif

ELEMENT(SYNCookies)
{
	struct segment segment;
	struct exchange x;
	bool answered;

	if (!segment_find(p, &segment))
		return DROP_WITHOUT_HEADER(p);
	if (!USERSPACE && ip_header_length(segment.ip) > sizeof(*segment.ip))
		return PUNT;
	if (!exchange_read(p, &segment, &x) || x.flags != TCP_SYN || !SELF(answers)(ntohs(x.destination_port)))
		return OUTPUT(0);
	SELF(accept)(&x, exchange_mss(p, &segment, &x));
	answered = pkt_network_offset(p) == ETH_HLEN ? exchange_answer(p, &x, ETH_HLEN) : exchange_answer(p, &x, 0);
	return answered ? OUTPUT(1) : PUNT;
}
#undef MSS_OF
