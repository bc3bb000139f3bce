/* IPv6 packets that become IPv4 packets, and back (RFC 7915), one at a time, without state.
 *
 * An IPv4 address is the last 32 bits of an IPv6 address whose first 96 are one of the prefixes (RFC 6052, 2.2). Most packets are
 * plain: the header is replaced, and a checksum updated by the difference of the addresses. All others (extension headers, options,
 * fragments, ICMP errors with the packet in them) are translated by siit64.h and siit46.h, runtime only.
 */
#ifndef CLICKBPF_IP6_SIIT_H
#define CLICKBPF_IP6_SIIT_H

#include "icmp/icmp.h"
#include "ip6/icmp6.h"

/* The largest IPv4 packets that may be fragmented, if the element is configured to permit it (RFC 7915, 5.1). */
#define SIIT_SHORT 1260

static __always_inline bool siit_has_prefix(const __u8 *address, const __u8 *prefix)
{
	return word32(address) == word32(prefix) && word32(address + 4) == word32(prefix + 4) && word32(address + 8) == word32(prefix + 8);
}

/* ::/96 and ::ffff:0:0/96 (RFC 4291, 2.5.5); an address of the former with the last 32 bits 0 is none at all. */
static __always_inline bool siit_has_fixed_prefix(const __u8 *address)
{
	return !(word32(address) | word32(address + 4)) && (!word32(address + 8) || word32(address + 8) == htonl(0xffff));
}

/* The place of the checksum in a TCP or UDP header, or -1: checksums of other protocols don't cover the addresses. */
static __always_inline int siit_checksum_at(__u8 protocol)
{
	if (protocol == PROTOCOL_TCP)
		return offsetof(struct tcp_header, checksum);
	return protocol == PROTOCOL_UDP ? (int)offsetof(struct udp_header, checksum) : -1;
}

/* The checksum after a sum changed from `from` to `to`; never 0 for UDP, where 0 means that there is none. */
static __always_inline __u16 siit_update(__u16 check, __u16 from, __u16 to, bool udp)
{
	const __u16 result = checksum_update(check, from, to);

	return udp && !result ? 0xffff : result;
}

/* The changes of sums from one protocol's addresses to the other's, for siit_update(); `pseudo` is for ICMPv6, which has a pseudo-
 * header as ICMP has not.
 */
struct siit_sums {
	__u16 from, to, pseudo_from, pseudo_to;
};

static __always_inline __u16 siit_sum_ip4(const struct iphdr *ip)
{
	return checksum_fold((__u64)ip->saddr + ip->daddr);
}

static __always_inline __u16 siit_sum_ip6(const struct ip6_header *ip)
{
	return checksum_fold(ip6_sum_address(ip->source) + ip6_sum_address(ip->destination));
}

/* Types of echo requests and replies, in the other protocol. */
static __always_inline __u8 siit_echo(__u8 type)
{
	return type == ICMP6_ECHO ? ICMP_ECHO : type == ICMP6_ECHO_REPLY ? ICMP_ECHO_REPLY : type == ICMP_ECHO ? ICMP6_ECHO : ICMP6_ECHO_REPLY;
}

/* Updates the message, of `protocol`, that begins 40 bytes from the packet's start. Sets the checksum that it had, 0 if it has
 * none; false if the packet ends before. Each protocol has its own check of the length, which the verifier would not remember
 * otherwise.
 */
static __always_inline bool siit_update_message(struct pkt *p, __u8 protocol, const struct siit_sums *sums, __u16 *before)
{
	const int at = sizeof(struct ip6_header);

	*before = 0;
	if (protocol == PROTOCOL_TCP) {
		struct tcp_header *tcp = pkt_data(p, at, sizeof(*tcp));

		if (!tcp)
			return false;
		*before = tcp->checksum;
		tcp->checksum = siit_update(tcp->checksum, sums->from, sums->to, false);
	} else if (protocol == PROTOCOL_UDP) {
		struct udp_header *udp = pkt_data(p, at, sizeof(*udp));

		if (!udp)
			return false;
		*before = udp->checksum;
		if (udp->checksum)
			udp->checksum = siit_update(udp->checksum, sums->from, sums->to, true);
	} else if (protocol == PROTOCOL_ICMP || protocol == IP6_ICMP) {
		struct icmp_header *icmp = pkt_data(p, at, sizeof(*icmp));
		__u16 type;

		if (!icmp)
			return false;
		*before = icmp->checksum;
		type = word16(icmp);
		icmp->type = siit_echo(icmp->type);
		icmp->checksum = checksum_update(checksum_update(icmp->checksum, type, word16(icmp)), sums->pseudo_from, sums->pseudo_to);
	}
	return true;
}

/* An identification for small packets that may be fragmented: from the checksum and length, which differ from packet to packet. */
static __always_inline __u16 siit_identification(__u16 check, __u32 length)
{
	return (__u16)(check * 0x9e37u + length) ?: 1;
}

#endif
