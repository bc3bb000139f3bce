/* ICMP errors (RFC 1812, 4.3.2), for both executors. Addresses are in network byte order. */
#pragma once

#include "icmp/icmp.h"
#include "ip/sum.h"

/* The error and its sender. */
struct icmp_error {
	__u8 type, code;
	__u8 fix;				/* its annotation FIX_IP_SRC */
	__be32 source;
	__u32 mtu;				/* the longest message in bytes */
	__u32 pmtu;				/* the next hop's MTU, for messages with one */
	__u64 *number;				/* identification of the last message, incremented */
};

/* Fields of the packet that the error needs, saved before they are overwritten. */
struct icmp_cause {
	__be32 source, gateway;
	__u8 pointer;
	__u32 options;				/* bytes of the error's own options, in whole words */
	__u8 route[MAX_IPOPTLEN];		/* these options */
};

/* RFC 1812, 5.3.7: not this network, loopback or class E. */
static __always_inline bool icmp_error_may_go_to(__be32 address)
{
	const __u8 net = address & 0xff;

	return net != 0 && net != 127 && net < 224;
}

/* RFC 1122, 3.2.2: no errors about errors, or about messages too short to have a type. */
static __always_inline bool icmp_error_may_be_about(struct pkt *p, const struct iphdr *ip)
{
	const struct icmp_header *icmp;

	if (ip->frag_off & htons(IP_OFFSET) || pkt_is_to_group(p))
		return false;
	if (ip->daddr == 0xffffffff || ip_is_multicast(ip->daddr) || !icmp_error_may_go_to(ip->saddr))
		return false;
	if (ip->protocol != PROTOCOL_ICMP)
		return true;
	icmp = pkt_network_data(p, ip_header_length(ip), 4);
	return icmp && !icmp_is_error(icmp->type);
}

#if USERSPACE
/* Whether the packet, with IP header `ip`, is source-routed. */
bool icmp_error_is_source_routed(struct pkt *p, const struct iphdr *ip);
/* Set the options that send the error back along the route. */
void icmp_error_reverse(const struct icmp_error *e, struct icmp_cause *cause, struct pkt *p, const struct iphdr *ip);
#endif

static __always_inline void icmp_error_write_ip(const struct icmp_error *e, struct pkt *p, struct iphdr *ip, __u32 header, __be32 destination)
{
	ip->version = 4;
	ip->ihl = header / 4;
	ip->tos = 0;
	ip->tot_len = htons(pkt_len(p));
	ip->id = htons((__u16)(__sync_fetch_and_add(e->number, 1) + 1));
	ip->frag_off = 0;
	ip->ttl = 200;
	ip->protocol = PROTOCOL_ICMP;
	ip->saddr = e->source;
	ip->daddr = destination;
	ip->check = 0;
#if USERSPACE
	ip->check = checksum(ip, header);
#else
	ip->check = ~checksum_fold(ip_sum20(ip));
#endif
}

static __always_inline void icmp_error_write(const struct icmp_error *e, struct icmp_header *icmp, const struct icmp_cause *cause)
{
	icmp->type = e->type;
	icmp->code = e->code;
	icmp->checksum = 0;
	icmp->rest = 0;
	if (e->type == ICMP_REDIRECT)
		icmp->gateway = cause->gateway;
	if (e->type == ICMP_PARAMETER_PROBLEM && e->code == ICMP_ERROR_AT_POINTER)
		icmp->pointer = cause->pointer;
	if (e->type == ICMP_UNREACHABLE && e->code == ICMP_NEED_FRAGMENTATION)
		icmp->mtu = htons((__u16)e->pmtu);
}

/* Bytes of the error's headers. */
static __always_inline __u32 icmp_error_front(const struct icmp_cause *cause)
{
	return sizeof(struct iphdr) + (USERSPACE ? cause->options : 0) + sizeof(struct icmp_header);
}

/* Turn the packet, which begins with room for headers, into the error. False if the kernel path can't compute its checksum. */
static __always_inline bool icmp_error_make(const struct icmp_error *e, struct pkt *p, const struct icmp_cause *cause)
{
	const __u32 front = icmp_error_front(cause), header = front - sizeof(struct icmp_header);
	const __u32 most = e->mtu > front ? e->mtu : front;
	struct icmp_header *icmp;
	struct iphdr *ip;
	__u64 sum = 0;

	if (pkt_len(p) > most)
		pkt_trim(p, most);
	ip = pkt_data(p, 0, sizeof(*ip) + sizeof(*icmp));
	if (!ip)
		return false;
	icmp = (void *)ip + header;
	icmp_error_write(e, icmp, cause);
	if (!sum_bytes(p, header, pkt_len(p) - header, &sum))
		return false;
	icmp->checksum = ~checksum_fold(sum);
#if USERSPACE
	__builtin_memcpy(ip + 1, cause->route, cause->options);
#endif
	icmp_error_write_ip(e, p, ip, header, cause->source);
	pkt_renew(p);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, header);
	pkt_set_dst_ip(p, cause->source);
	pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, e->fix);
	return true;
}
