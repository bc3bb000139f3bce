/* What ICMP says about packets that were too big for a link on the way (RFC 1191, RFC 8201). Runtime only. */
#pragma once

#include "icmp/icmp.h"
#include "ip6/icmp6.h"
#include "tcp/packets.h"

/* No packet is made smaller than this: of IPv4 as Linux's (ip_rt_min_pmtu), where routers may cut it up; of IPv6 as RFC 8200, 5. */
#define TCP_LEAST_MTU 552
#define TCP_LEAST_MTU6 1280
/* Of TCP's header a message quotes that much at least (RFC 792). */
#define TCP_QUOTED 8

/* Whether a message says so, and quotes the header of a TCP packet: IPv4's without options, as all that TCP sends. */
static inline bool tcp_is_too_big(const struct icmp6_header *icmp, __u8 protocol, bool is_ip4)
{
	const struct iphdr *ip = (const void *)(icmp + 1);
	const struct ip6_header *ip6 = (const void *)(icmp + 1);

	if (is_ip4)
		return protocol == PROTOCOL_ICMP && icmp->type == ICMP_UNREACHABLE && icmp->code == ICMP_NEED_FRAGMENTATION &&
		       *(const __u8 *)ip == IP_PLAIN && ip->protocol == PROTOCOL_TCP;
	return protocol == IP6_ICMP && icmp->type == ICMP6_PACKET_TOO_BIG && ip6_version(ip6) == 6 && ip6->next == PROTOCOL_TCP;
}

/* A window's worth of segments was too big at once: the first message does all. */
static inline bool tcp_narrow(struct tcp *t, __u32 mtu)
{
	const __u32 headers = t->all->mtu - tcp_own_mss(t), least = t->is_ip4 ? TCP_LEAST_MTU : TCP_LEAST_MTU6;
	const bool fragments = t->fragments;

	t->fragments |= t->is_ip4 && mtu < least;
	mtu = (mtu < least ? least : mtu) - headers;
	if (mtu >= t->mss && fragments == t->fragments)
		return false;
	if (mtu < t->mss)
		t->mss = mtu;
	t->next = t->una;
	tcp_ready(t);
	return true;
}

/* A packet that is no segment: if it says so of something that is under way (RFC 5927, 4.1), the connection's segments become smaller, and
 * what is under way is sent again. False if it is anything else.
 */
static inline bool tcp_hear_too_big(struct tcp_connections *c, struct pkt *p, const struct payload *payload)
{
	const bool is_ip4 = ip_version_of(p) == 4;
	const int ip = is_ip4 ? sizeof(struct iphdr) : sizeof(struct ip6_header), length = (int)sizeof(struct icmp6_header) + ip + TCP_QUOTED;
	const struct icmp6_header *icmp = pkt_data(p, payload->header, length);
	const struct tcp_header *tcp = (const void *)((const __u8 *)(icmp + 1) + ip);
	struct tcp_key key;
	struct tcp *t;
	__u32 seq;

	if (!icmp || payload->end - payload->header < length || !tcp_is_too_big(icmp, payload->protocol, is_ip4) ||
	    !payload_is_right(p, payload))
		return false;
	key = tcp_key_of(icmp + 1, tcp);
	t = tcp_find(c, &(struct tcp_key){.own = key.peer, .peer = key.own});
	seq = ntohl(tcp->sequence);
	return t && t->state >= TCP_ESTABLISHED && seq_upto(t->una, seq) && seq_before(seq, t->max) &&
	       tcp_narrow(t, ntohl(icmp->rest) & (is_ip4 ? 0xffff : UINT32_MAX));
}
