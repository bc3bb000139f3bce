#include "icmp/icmp.h"
#include "ip/transport.h"

/* Zero the packet from `start` bytes after the transport header's start to its end. */
static void SELF(erase)(struct pkt *p, __u32 start)
{
	__u8 *at = p->head + p->trans + start;

	if (at < p->tail)
		memset(at, 0, p->tail - at);
}

ELEMENT(EraseIPPayload)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct tcp_header *tcp = pkt_transport_header(p, offsetof(struct tcp_header, urgent));
	struct udp_header *udp = pkt_transport_header(p, sizeof(*udp));

	if (!ip || !pkt_has_transport_header(p))
		return DROP_WITHOUT_HEADER(p);
	switch (ip->protocol) {
	case PROTOCOL_TCP:
		if (!tcp)
			break;
		SELF(erase)(p, (tcp->offset >> 4) * 4);
		tcp->checksum = 0;
		break;
	case PROTOCOL_UDP:
		SELF(erase)(p, sizeof(*udp));
		if (udp)
			udp->checksum = 0;
		break;
	case PROTOCOL_ICMP:
		break;
	default:
		return DROP(FILTERED);
	}
	return OUTPUT(0);
}
