#include "tcpudp/checksum.h"

static __always_inline int SELF(refuse)(void)
{
	if (SELF(noutputs) == 2)
		return OUTPUT(1);
	warn(1, "%s :: SetUDPChecksum: fragment or short packet", SELF(name));
	return DROP(MALFORMED);
}

ELEMENT(SetUDPChecksum)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct udp_header *udp = ip ? pkt_transport_header(p, sizeof(*udp)) : NULL;
	__u32 length;
	__u64 sum;

	if (!udp)
		return SELF(refuse)();
	length = ntohs(udp->length);
	if (ip_is_fragment(ip) || length > transport_length(p))
		return SELF(refuse)();
	if (checksum_is_hard(ip, length))
		return PUNT;
	udp->checksum = 0;
	if (!transport_sum(p, ip, length, &sum))
		return DROP(MALFORMED);
	udp->checksum = ~checksum_fold(sum);
	return OUTPUT(0);
}
