#include "common/headerreject.inc.h"
#include "tcpudp/checksum.h"

ELEMENT(CheckUDPHeader)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct udp_header *udp;
	__u32 length;
	__u64 sum;

	if (!ip)
		return SELF(reject)(p, SELF(NOT_UDP), DROP(FILTERED));
	if (ip->protocol != PROTOCOL_UDP)
		return SELF(reject)(p, SELF(NOT_UDP), DROP(FILTERED));
	udp = pkt_transport_header(p, sizeof(*udp));
	if (!udp)
		return SELF(reject)(p, SELF(LENGTH), DROP(MALFORMED));
	length = ntohs(udp->length);
	if (length < sizeof(*udp) || length > transport_length(p))
		return SELF(reject)(p, SELF(LENGTH), DROP(MALFORMED));
	if (!udp->checksum)
		return OUTPUT(0);
	if (checksum_is_hard(ip, length))
		return PUNT;
	if (!transport_sum(p, ip, length, &sum) || !checksum_is_right(sum))
		return SELF(reject)(p, SELF(CHECKSUM), DROP(BAD_CHECKSUM));
	return OUTPUT(0);
}
