/* IP headers that elements put in front of packets. */
#pragma once

#include "ip/ip.h"

/* The variable fields of such headers, which have no options. */
struct ip_fields {
	__u8 tos, ttl, protocol;
	bool df;
	__u16 id;		/* host order */
	__be32 source, destination;
};

/* Writes a header to `ip`, the beginning of the packet, and marks it. */
static __always_inline void ip_write(struct pkt *p, struct iphdr *ip, const struct ip_fields *fields)
{
	ip->version = 4;
	ip->ihl = sizeof(*ip) / 4;
	ip->tos = fields->tos;
	ip->tot_len = htons((__u16)pkt_len(p));
	ip->id = htons(fields->id);
	ip->frag_off = fields->df ? htons(IP_DF) : 0;
	ip->ttl = fields->ttl;
	ip->protocol = fields->protocol;
	ip->check = 0;
	ip->saddr = fields->source;
	ip->daddr = fields->destination;
	ip->check = ~checksum_fold(ip_sum20(ip));
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip(p, fields->destination);
}
