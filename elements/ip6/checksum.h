/* Checksums of TCP, UDP and ICMPv6: over the message and a pseudo-header of IPv6's fields (RFC 8200, 8.1). */
#pragma once

#include "ip6/icmp6.h"

/* Adds up pseudo-header and message: `length` bytes from the header after the chain. False if the packet ends before that. */
static __always_inline bool ip6_transport_sum(struct pkt *p, const struct ip6_header *ip, const struct ip6_inner *inner, int length, __u64 *sum)
{
	const void *destination = ip6_final_destination(p, ip, inner);

	if (!destination)
		return false;
	*sum = ip6_pseudo_sum(ip->source, destination, length, inner->protocol);
	return sum_bytes(p, pkt_network_offset(p) + inner->offset, length, sum);
}

/* The place of the checksum of TCP, UDP or ICMPv6; NULL if the packet has no such header. */
static __always_inline __u16 *ip6_transport_field(struct pkt *p, const struct ip6_inner *inner)
{
	struct tcp_header *tcp = ip6_inner_header(p, inner, PROTOCOL_TCP, sizeof(*tcp));
	struct udp_header *udp = ip6_inner_header(p, inner, PROTOCOL_UDP, sizeof(*udp));
	struct icmp6_header *icmp = ip6_inner_header(p, inner, IP6_ICMP, sizeof(*icmp));

	if (tcp)
		return &tcp->checksum;
	if (udp)
		return &udp->checksum;
	return icmp ? &icmp->checksum : NULL;
}

/* The checksum that covers the addresses and, in TCP and UDP, the ports; NULL if there is none. */
static __always_inline __u16 *ip6_transport_checksum(struct pkt *p, const struct ip6_inner *inner)
{
	__u16 *field = ip6_transport_field(p, inner);

	return field && (*field || inner->protocol != PROTOCOL_UDP) ? field : NULL;
}
