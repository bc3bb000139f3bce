#include "icmp/icmp.h"
#include "ip/transport.h"

/* Bytes of the transport header; -1 if the packet ends before the field with its length. */
static __always_inline int SELF(length)(struct pkt *p, __u8 protocol)
{
	const struct tcp_header *tcp;

	if (protocol == PROTOCOL_UDP || protocol == PROTOCOL_ICMP)
		return 8;
	if (protocol != PROTOCOL_TCP)
		return 0;
	tcp = pkt_transport_header(p, sizeof(*tcp));
	return tcp ? (tcp->offset >> 4) * 4 : -1;
}

ELEMENT(StripTransportHeader)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	int offset, length;

	if (!ip || !pkt_has_transport_header(p))
		return DROP_WITHOUT_HEADER(p);
	length = SELF(length)(p, ip->protocol);
	offset = pkt_transport_offset(p) + length;
	if (length < 0 || offset < 0 || !pkt_pull(p, offset))
		return DROP(MALFORMED);
	return OUTPUT(0);
}
