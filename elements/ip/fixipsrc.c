#include "ip/ip.h"

ELEMENT(FixIPSrc)
{
	struct iphdr *ip;
	__u32 header;

	if (!pkt_anno_u8(p, FIX_IP_SRC_ANNO))
		return OUTPUT(0);
	ip = pkt_network_header(p, sizeof(*ip));
	if (!ip)
		return OUTPUT(0);
	header = ip_header_length(ip);
	if (!USERSPACE && header != sizeof(*ip))
		return PUNT;
	pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, 0);
	ip->saddr = cfg.ipaddr;
	ip->check = 0;
	if (header == sizeof(*ip))
		ip->check = ~checksum_fold(ip_sum20(ip));
	else if (pkt_network_header(p, header))
		ip->check = checksum(ip, header);
	return OUTPUT(0);
}
