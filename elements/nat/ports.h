/* Packets with ports: TCP, UDP, and DCCP (RFC 4340), all with ports at the same place. */
#pragma once

#include "nat/flow.h"
#include "tcpudp/checksum.h"

/* Bytes of a TCP header up to its checksum's end. */
#define TCP_CHECKED 18
#define PORTS_LEAST 8

static __always_inline bool nat_parse_ip(struct pkt *p, struct nat_packet *n)
{
	n->ip = pkt_network_header(p, sizeof(*n->ip));
	return n->ip;
}

/* Find the transport header of a first fragment, as far as needed. */
static __always_inline void nat_parse_transport(struct pkt *p, struct nat_packet *n)
{
	if (!pkt_has_transport_header(p) || !ip_is_first_fragment(n->ip))
		return;
	n->length = transport_length(p);
	if (n->ip->protocol == PROTOCOL_TCP)
		n->tcp = pkt_transport_header(p, TCP_CHECKED);
	if (n->ip->protocol == PROTOCOL_UDP || n->ip->protocol == PROTOCOL_DCCP)
		n->udp = pkt_transport_header(p, sizeof(*n->udp));
	/* Make callers test the pointers themselves: the verifier doesn't relate them to the values that they were computed from. */
	asm volatile("" : "+r"(n->tcp), "+r"(n->udp));
}

static __always_inline bool nat_parse_ports(struct pkt *p, struct nat_packet *n)
{
	const struct nat_ports {
		__be16 source, destination;
	} *ports;

	if (!nat_parse_ip(p, n) || !ip_is_first_fragment(n->ip) || !pkt_has_transport_header(p))
		return false;
	ports = pkt_transport_header(p, PORTS_LEAST);
	if (!ports)
		return false;
	nat_parse_transport(p, n);
	n->key = (struct nat_key){.saddr = n->ip->saddr, .daddr = n->ip->daddr,
				  .sport = ports->source, .dport = ports->destination};
	return true;
}

static __always_inline __u8 nat_track_tcp(const struct nat_packet *n, const struct nat_target *target)
{
	const __u8 mine = 1 << target->direction;
	__u8 tracked = target->tracked;
	bool data;

	if (!n->tcp)
		return tracked;
	data = ip_header_length(n->ip) + (n->tcp->offset >> 4) * 4 < ntohs(n->ip->tot_len);
	if (n->tcp->flags & TCP_RST)
		tracked |= NAT_TCP_DONE;
	else if (n->tcp->flags & TCP_FIN)
		tracked |= mine;
	else if (n->tcp->flags & TCP_SYN || data)
		tracked &= ~mine;
	return data ? tracked | mine << 2 : tracked;
}

static __always_inline __u8 nat_track_udp(const struct nat_target *target)
{
	const __u8 tracked = target->tracked | target->direction;

	return tracked < NAT_UDP_MANY ? tracked + 2 : tracked;
}

static __always_inline void nat_apply_ip(struct nat_packet *n, const struct nat_target *target)
{
	n->ip->saddr = target->saddr;
	n->ip->daddr = target->daddr;
	n->ip->check = nat_sum(n->ip->check, target->ip_delta);
}

static __always_inline void nat_apply_sum(struct nat_packet *n, const struct nat_target *target)
{
	if (n->tcp)
		n->tcp->checksum = nat_sum(n->tcp->checksum, target->transport_delta);
	else if (n->udp && n->ip->protocol == PROTOCOL_UDP)
		n->udp->checksum = nat_udp_sum(n->udp->checksum, target->transport_delta);
}

static __always_inline void nat_apply_ports(struct nat_packet *n, const struct nat_target *target)
{
	nat_apply_ip(n, target);
	if (n->tcp) {
		n->tcp->source = target->sport;
		n->tcp->destination = target->dport;
	} else if (n->udp) {
		n->udp->source = target->sport;
		n->udp->destination = target->dport;
	}
	nat_apply_sum(n, target);
}
