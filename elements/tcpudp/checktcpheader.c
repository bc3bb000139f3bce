#include "common/headerreject.inc.h"
#include "tcpudp/checksum.h"

ELEMENT(CheckTCPHeader)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct tcp_header *tcp;
	__u32 length, header;
	__u64 sum;

	if (!ip)
		return SELF(reject)(p, SELF(NOT_TCP), DROP(FILTERED));
	if (ip->protocol != PROTOCOL_TCP)
		return SELF(reject)(p, SELF(NOT_TCP), DROP(FILTERED));
	tcp = pkt_transport_header(p, sizeof(*tcp));
	if (!tcp)
		return SELF(reject)(p, SELF(LENGTH), DROP(MALFORMED));
	length = ntohs(ip->tot_len) - ip_header_length(ip);
	header = (tcp->offset >> 4) * 4;
	if (header < sizeof(*tcp) || length < header || length > transport_length(p))
		return SELF(reject)(p, SELF(LENGTH), DROP(MALFORMED));
	if (checksum_is_hard(ip, length))
		return PUNT;
	if (!transport_sum(p, ip, length, &sum) || !checksum_is_right(sum))
		return SELF(reject)(p, SELF(CHECKSUM), DROP(BAD_CHECKSUM));
	return OUTPUT(0);
}
