#include "ip/transport.h"

#define swap(type, a, b)        \
	do {                    \
		type keep_ = a; \
		a = b;          \
		b = keep_;      \
	} while (0)

static __always_inline void SELF(mirror_ports)(struct pkt *p)
{
	struct udp_header *udp = pkt_transport_header(p, sizeof(*udp));

	if (udp)
		swap(__be16, udp->source, udp->destination);
}

static __always_inline void SELF(mirror_numbers)(struct pkt *p)
{
	struct tcp_header *tcp = pkt_transport_header(p, offsetof(struct tcp_header, offset));

	if (tcp)
		swap(__be32, tcp->sequence, tcp->acknowledgement);
}

MARKED_ELEMENT(IPMirror, struct iphdr, ip)
{
	swap(__be32, ip->saddr, ip->daddr);
	if (cfg.dst_anno)
		pkt_set_dst_ip(p, ip->daddr);
	if (!ip_is_first_fragment(ip))
		return OUTPUT(0);
	if (ip->protocol == PROTOCOL_TCP || ip->protocol == PROTOCOL_UDP)
		SELF(mirror_ports)(p);
	if (ip->protocol == PROTOCOL_TCP)
		SELF(mirror_numbers)(p);
	return OUTPUT(0);
}
