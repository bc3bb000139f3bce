#include "tcpudp/checksum.h"

static __always_inline int SELF(refuse)(void)
{
	warn(ALWAYS, "SetTCPChecksum: bad lengths");
	return DROP(MALFORMED);
}

static __always_inline void SELF(fix_offset)(const struct iphdr *ip, struct tcp_header *tcp, __u32 length)
{
	__u32 words = tcp->offset >> 4;

	if (words < sizeof(*tcp) / 4)
		words = sizeof(*tcp) / 4;
	else if (words * 4 > length && !ip_is_fragment(ip))
		words = length / 4;
	tcp->offset = words << 4 | (tcp->offset & 15);
}

ELEMENT(SetTCPChecksum)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct tcp_header *tcp = ip ? pkt_transport_header(p, sizeof(*tcp)) : NULL;
	__u32 length;
	__u64 sum;

	if (!tcp)
		return SELF(refuse)();
	length = ntohs(ip->tot_len) - ip_header_length(ip);
	if (length < sizeof(*tcp) || length > transport_length(p))
		return SELF(refuse)();
	if (checksum_is_hard(ip, length))
		return PUNT;
	if (cfg.fixoff)
		SELF(fix_offset)(ip, tcp, length);
	tcp->checksum = 0;
	if (!transport_sum(p, ip, length, &sum))
		return DROP(MALFORMED);
	tcp->checksum = ~checksum_fold(sum);
	return OUTPUT(0);
}
