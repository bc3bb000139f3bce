/* A keyed hash of an IP packet's flow: addresses, protocol, and ports if any. For fragments without ports, so that all fragments of
 * a packet have the same hash.
 */
#pragma once

#include "ip6/ip6.h"
#include "siphash.h"

static __always_inline bool flow_has_ports(int protocol)
{
	switch (protocol) {
	case PROTOCOL_TCP:
	case PROTOCOL_UDP:
	case PROTOCOL_UDPLITE:
	case PROTOCOL_DCCP:
	case PROTOCOL_SCTP:
		return true;
	}
	return false;
}

static __always_inline __u64 flow_upper(__u32 protocol, const void *ports)
{
	return (ports ? (__u64)word32(ports) << 8 : 0) | protocol;
}

/* Protocol and ports of a flow. */
static __always_inline __u64 flow_upper4(struct pkt *p, const struct iphdr *ip)
{
	const bool ported = !ip_is_fragment(ip) && flow_has_ports(ip->protocol);

	return flow_upper(ip->protocol, ported ? pkt_transport_header(p, 4) : NULL);
}

/* The first and the later fragments of a packet may have different next headers. */
static __always_inline __u64 flow_upper6(struct pkt *p, const struct ip6_header *ip)
{
	const struct ip6_inner inner = ip6_walk(p, ip);

	if (inner.fragment)
		return flow_upper(IP6_FRAGMENT, NULL);
	return flow_upper(inner.protocol & 0xff, flow_has_ports(inner.protocol) ? pkt_network_data(p, inner.offset, 4) : NULL);
}

/* With `whole` false, the hash of the addresses only. 0 if the packet has no whole IP header. */
static __always_inline __u64 flow_hash(struct pkt *p, const __u64 key[2], bool whole)
{
	const int version = ip_version_of(p);
	const struct ip6_header *ip6 = version == 6 ? pkt_network_header(p, sizeof(*ip6)) : NULL;
	const struct iphdr *ip = version == 4 ? pkt_network_header(p, sizeof(*ip)) : NULL;
	__u64 words[5];

	if (ip)
		return siphash13_2(key, (__u64)ip->saddr << 32 | ip->daddr, whole ? flow_upper4(p, ip) : 0);
	if (!ip6)
		return 0;
	words[0] = ip6_high(ip6->source);
	words[1] = ip6_low(ip6->source);
	words[2] = ip6_high(ip6->destination);
	words[3] = ip6_low(ip6->destination);
	words[4] = whole ? flow_upper6(p, ip6) : 0;
	return pkt_is_unseen(p) ? 0 : siphash(key, words, 5, 1, 3);
}
