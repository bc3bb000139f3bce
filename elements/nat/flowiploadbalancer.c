#include "nat/flowbalancer.inc.h"
#include "nat/sending.inc.h"

/* Whether a flow may begin with the packet. */
static __always_inline bool SELF(may_begin)(struct pkt *p, const void *header)
{
	const __u32 length = offsetof(struct tcp_header, flags) + 1;
	const struct tcp_header *tcp;
	struct ip6_inner inner;

	if (cfg.nonsyn)
		return true;
	if (cfg.ip6) {
		inner = ip6_walk(p, header);
		if (inner.protocol != PROTOCOL_TCP)
			return true;
		tcp = ip6_inner_header(p, &inner, PROTOCOL_TCP, length);
	} else {
		if (((const struct iphdr *)header)->protocol != PROTOCOL_TCP)
			return true;
		tcp = pkt_transport_header(p, length);
	}
	return tcp && (tcp->flags & (TCP_SYN | TCP_ACK)) == TCP_SYN;
}

ELEMENT(FlowIPLoadBalancer)
{
	void *header = SELF(header)(p);
	const __u64 hash = header ? flow_hash(p, var(balance)->key, true) : 0;
	int number;

	if (!hash)
		return DROP_WITHOUT_HEADER(p);
	number = SELF(flow_number)(hash);
	if (number < 0) {
		if (!SELF(may_begin)(p, header))
			return DROP(FILTERED);
		number = SELF(begin)(p, hash);
	}
	return SELF(send_to)(p, header, number);
}
