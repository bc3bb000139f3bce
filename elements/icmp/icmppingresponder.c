#include "icmp/icmp.h"

static __always_inline void SELF(turn)(struct iphdr *ip)
{
	__be32 source = ip->saddr;
	__u16 before;

	ip->saddr = ip->daddr;
	ip->daddr = source;
	ip->check = checksum_update(ip->check, ip->frag_off, 0);
	ip->frag_off = 0;
	before = word16(&ip->ttl);
	ip->ttl = 255;
	ip->check = checksum_update(ip->check, before, word16(&ip->ttl));
}

#if USERSPACE
/* An incremental update can't distinguish the two zeros of ones' complement: it gives the wrong one if all data is zero. */
static __u16 SELF(zero_checksum)(struct pkt *p)
{
	const __u8 *byte = pkt_transport_header(p, sizeof(struct icmp_header));

	for (; byte < p->tail; byte++)
		if (*byte)
			return 0;
	return 0xffff;
}
#endif

static __always_inline bool SELF(is_request)(const struct iphdr *ip, const struct icmp_header *icmp)
{
	return icmp && ip->protocol == PROTOCOL_ICMP && icmp->type == ICMP_ECHO;
}

ELEMENT(ICMPPingResponder)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct icmp_header *icmp = ip ? pkt_transport_header(p, sizeof(*icmp)) : NULL;
	__u16 check;

	if (!SELF(is_request)(ip, icmp))
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
	check = checksum_update(icmp->checksum, word16(icmp), ICMP_ECHO_REPLY);
	if (!USERSPACE && !check)
		return PUNT;
	SELF(turn)(ip);
	word16(icmp) = ICMP_ECHO_REPLY;
	icmp->checksum = check;
#if USERSPACE
	if (!check)
		icmp->checksum = SELF(zero_checksum)(p);
#endif
	pkt_arrive_now(p);
	pkt_set_dst_ip(p, ip->daddr);
	pkt_set_anno_u8(p, PAINT_ANNO, 0);
	return OUTPUT(0);
}
