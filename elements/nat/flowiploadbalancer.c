#include "nat/balancer.inc.h"
#include "nat/flowmemory.inc.h"

static __always_inline bool SELF(may_begin)(struct pkt *p, const struct iphdr *ip)
{
	const struct tcp_header *tcp;

	if (cfg.nonsyn || ip->protocol != PROTOCOL_TCP)
		return true;
	tcp = pkt_transport_header(p, offsetof(struct tcp_header, flags) + 1);
	return tcp && (tcp->flags & (TCP_SYN | TCP_ACK)) == TCP_SYN;
}

ELEMENT(FlowIPLoadBalancer)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(servers) *server;
	__u64 hash;
	int number;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (ip->version != 4)
		return DROP(MALFORMED);
	hash = flow_hash(p, ip, var(balance)->key);
	number = SELF(flow_number)(hash);
	if (number < 0) {
		if (!SELF(may_begin)(p, ip))
			return DROP(FILTERED);
		number = SELF(choose)(p, ip, hash);
		if (number < 0)
			return DROP(NO_ROUTE);
		SELF(flow_begin)(p, hash, number);
	}
	server = at(servers, number);
	return server ? SELF(send_to)(p, ip, server) : DROP(NO_ROUTE);
}
