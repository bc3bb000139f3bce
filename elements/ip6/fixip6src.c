#include "ip6/icmp6.h"

ELEMENT(FixIP6Src)
{
	struct ip6_header *ip;
	struct icmp6_header *icmp;
	__u64 before;

	if (!pkt_anno_u8(p, FIX_IP_SRC_ANNO))
		return OUTPUT(0);
	ip = pkt_network_header(p, sizeof(*ip));
	icmp = ip && ip->next == IP6_ICMP ? pkt_network_data(p, sizeof(*ip), sizeof(*icmp)) : NULL;
	if (!icmp)
		return OUTPUT(0);
	pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, 0);
	before = ip6_sum_address(ip->source);
	ip6_copy(ip->source, cfg.ip6);
	icmp->checksum = checksum_update(icmp->checksum, checksum_fold(before), checksum_fold(ip6_sum_address(ip->source)));
	return OUTPUT(0);
}
