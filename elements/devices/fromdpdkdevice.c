/* Packets arrive with device, type and MAC header annotations set. */
#include "devices/toeplitz.h"
#include "ip6/ip6.h"

static __always_inline bool SELF(has_ports)(__u8 protocol)
{
	return protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP;
}

static __always_inline __u32 SELF(hash4)(struct pkt *p)
{
	const struct iphdr *ip = pkt_data(p, ETH_HLEN, sizeof(*ip));
	const __be32 *ports;
	__u32 hash;

	if (!ip || ip_header_length(ip) < sizeof(*ip))
		return 0;
	hash = toeplitz(toeplitz(0, ip->saddr, TOEPLITZ_KEY(0)), ip->daddr, TOEPLITZ_KEY(1));
	if (!SELF(has_ports)(ip->protocol) || ip_is_fragment(ip))
		return hash;
	ports = pkt_data(p, ETH_HLEN + ip_header_length(ip), sizeof(*ports));
	return ports ? toeplitz(hash, word32(ports), TOEPLITZ_KEY(2)) : hash;
}

static __always_inline __u32 SELF(hash6)(struct pkt *p)
{
	const struct ip6_header *ip = pkt_data(p, ETH_HLEN, sizeof(*ip));
	const __be32 *ports;
	__u32 hash = 0;

	if (!ip)
		return 0;
#define ADD(n) hash = toeplitz(hash, word32(ip->source + 4 * (n)), TOEPLITZ_KEY(n))
	ADD(0); ADD(1); ADD(2); ADD(3); ADD(4); ADD(5); ADD(6); ADD(7);
#undef ADD
	if (!SELF(has_ports)(ip->next))
		return hash;
	ports = pkt_data(p, ETH_HLEN + sizeof(*ip), sizeof(*ports));
	return ports ? toeplitz(hash, word32(ports), TOEPLITZ_KEY(8)) : hash;
}

static __always_inline __u32 SELF(hash)(struct pkt *p)
{
	const struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));

	if (!eth)
		return 0;
	if (eth->h_proto == htons(ETH_P_IP))
		return SELF(hash4)(p);
	return eth->h_proto == htons(ETH_P_IPV6) ? SELF(hash6)(p) : 0;
}

ELEMENT(FromDPDKDevice)
{
	count(counters, count, pkt_packets(p));
	if (cfg.rss_aggregate)
		pkt_set_anno_u32(p, AGGREGATE_ANNO, SELF(hash)(p));
	return OUTPUT(0);
}
