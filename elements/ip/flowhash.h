/* A keyed hash of an IP packet's flow: addresses, protocol, and ports if any. For fragments without ports, so that all fragments of
 * a packet have the same hash.
 */
#pragma once

#include "ip/transport.h"
#include "siphash.h"

static __always_inline __u32 flow_ports(struct pkt *p, const struct iphdr *ip)
{
	const void *ports;

	if (ip_is_fragment(ip))
		return 0;
	switch (ip->protocol) {
	case PROTOCOL_TCP:
	case PROTOCOL_UDP:
	case PROTOCOL_UDPLITE:
	case PROTOCOL_DCCP:
	case PROTOCOL_SCTP:
		ports = pkt_transport_header(p, 4);
		return ports ? word32(ports) : 0;
	}
	return 0;
}

static __always_inline __u64 flow_hash(struct pkt *p, const struct iphdr *ip, const __u64 key[2])
{
	return siphash13_2(key, (__u64)ip->saddr << 32 | ip->daddr, (__u64)flow_ports(p, ip) << 8 | ip->protocol);
}
