/* SYNCookies: answers SYNs. */
#include "tcpudp/answer.h"

#if USERSPACE
/* For TCPListen: the maximum segment size of a peer that acknowledges a cookie, or 0. */
static __u32 SELF(accepted)(struct pkt *p)
{
	struct segment segment;
	struct exchange x;

	if (!pkt_network_header(p, sizeof(struct iphdr)) || !segment_find(p, &segment) || !exchange_read(p, &segment, &x))
		return 0;
	return cookie_is_acknowledged(var(vars)->key, &x) ? cookie_mss((x.ack - 1) & COOKIE_DATA, false) : 0;
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
	exchange_accept(&x, var(vars)->key, cookie_data(exchange_options(p, &x).mss));
	exchange_add_options(&x, &(struct tcp_options){.mss = 1460});
	answered = pkt_network_offset(p) == ETH_HLEN ? exchange_answer(p, &x, ETH_HLEN) : exchange_answer(p, &x, 0);
	return answered ? OUTPUT(1) : PUNT;
}
