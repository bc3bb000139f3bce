/* TCP and UDP checksums, over the segment and a pseudo-header (RFC 9293, 3.1; RFC 768). */
#pragma once

#include "ip/sum.h"
#include "ip/transport.h"

/* Bytes from the transport header to the packet's end. The caller has checked the header. */
static __always_inline __u32 transport_length(struct pkt *p)
{
	return pkt_len(p) - (__u32)pkt_transport_offset(p);
}

/* Whether the kernel path leaves the packet to the runtime: it has IP options, or is very long. */
static __always_inline bool checksum_is_hard(const struct iphdr *ip, __u32 length)
{
	return !USERSPACE && (ip_header_length(ip) > sizeof(*ip) || length > SUM_MOST);
}

/* The pseudo-header has the final destination of a source-routed packet (RFC 1122, 4.1.3.4 and 4.2.3.8). */
static __always_inline __be32 final_destination(struct pkt *p, const struct iphdr *ip)
{
#if USERSPACE
	const __u8 *option = (const __u8 *)(ip + 1), *end = (const __u8 *)ip + ip_header_length(ip);
	__u32 length;

	if (option < end && !pkt_network_header(p, ip_header_length(ip)))
		return ip->daddr;
	for (; option < end && *option != IPOPT_END; option += length) {
		length = ip_option_length(option, end);
		if (!length)
			break;
		if ((*option == IPOPT_LSRR || *option == IPOPT_SSRR) && length >= 7)
			return word32(option + length - 4);
	}
#endif
	return ip->daddr;
}

/* The sum of the pseudo-header of a segment of `length` bytes. */
static __always_inline __u64 pseudo_sum(struct pkt *p, const struct iphdr *ip, __u32 length)
{
	return (__u64)ip->saddr + final_destination(p, ip) + htons((__u16)length) + htons(ip->protocol);
}

/* Sum the pseudo-header and `length` bytes from the transport header. False if the packet is shorter. */
static __always_inline bool transport_sum(struct pkt *p, const struct iphdr *ip, __u32 length, __u64 *sum)
{
	*sum = pseudo_sum(p, ip, length);
	return sum_bytes(p, pkt_transport_offset(p), length, sum);
}
