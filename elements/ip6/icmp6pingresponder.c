#include "ip6/icmp6.h"

static __always_inline bool SELF(is_request)(const struct ip6_header *ip, const struct icmp6_header *icmp)
{
	return icmp && ip->next == IP6_ICMP && icmp->type == ICMP6_ECHO &&
	       (cfg.answers_groups || !ip6_is_multicast(ip->destination)) && !ip6_is_multicast(ip->source) && !ip6_is_zero(ip->source);
}

ELEMENT(ICMP6PingResponder)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct icmp6_header *icmp = ip ? pkt_network_data(p, sizeof(*ip), sizeof(*icmp)) : NULL;
	__u16 before;
	__u8 source[16];

	if (!SELF(is_request)(ip, icmp))
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
	ip6_copy(source, ip->source);
	if (cfg.answers_groups && ip6_is_multicast(ip->destination)) {
		const __u16 group = checksum_fold(ip6_sum_address(ip->destination));

		ip6_copy(ip->source, cfg.ip6);
		icmp->checksum = checksum_update(icmp->checksum, group, checksum_fold(ip6_sum_address(ip->source)));
		pkt_set_type(p, PACKET_HOST);
	} else {
		ip6_copy(ip->source, ip->destination);
	}
	ip6_copy(ip->destination, source);
	ip->hops = 255;
	before = word16(icmp);
	icmp->type = ICMP6_ECHO_REPLY;
	icmp->checksum = checksum_update(icmp->checksum, before, word16(icmp));
	pkt_arrive_now(p);
	pkt_set_dst_ip6(p, ip->destination);
	pkt_set_anno_u8(p, PAINT_ANNO, 0);
	return OUTPUT(0);
}
