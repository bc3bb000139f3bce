/* IPv6 packets that become IPv4 packets, and back (RFC 7915), one at a time, without state.
 *
 * An IPv4 address is embedded after a prefix in an IPv6 address (RFC 6052, 2.2). Most packets are plain: the header is replaced,
 * and a checksum updated by the difference of the addresses. All others (extension headers, options, fragments, ICMP errors with a
 * quoted packet) are translated by siit64.h and siit46.h, runtime only.
 */
#pragma once

#include "icmp/icmp.h"
#include "ip6/icmp6.h"

/* The largest IPv4 packets that may be fragmented, if the element is configured to permit it (RFC 7915, 5.1). */
#define SIIT_SHORT 1260

/* A prefix of 32, 40, 48, 56, 64 or 96 bits, in an address filled up with zeros. */
struct siit_prefix {
	const __u8 *address;
	int length;
};

/* Bits in which the word at an offset differs from the prefix's. */
static __always_inline __u32 siit_differs(const __u8 *address, struct siit_prefix prefix, int at)
{
	const int bits = prefix.length - at * 8;
	const __u32 mask = bits >= 32 ? ~0u : bits > 0 ? ~0u << (32 - bits) : 0;

	return (word32(address + at) ^ word32(prefix.address + at)) & htonl(mask);
}

static __always_inline bool siit_has_prefix(const __u8 *address, struct siit_prefix prefix)
{
	return !siit_differs(address, prefix, 0) && !siit_differs(address, prefix, 4) && !siit_differs(address, prefix, 8) &&
	       !siit_differs(address, prefix, 12);
}

/* The offset of byte `i` of an IPv4 address after a prefix; byte 8 is skipped. */
static __always_inline int siit_place(struct siit_prefix prefix, int i)
{
	const int at = prefix.length / 8 + i;

	return at + (at >= 8 && prefix.length < 96);
}

static __always_inline void siit_embed(__u8 *to, struct siit_prefix prefix, __be32 address)
{
	ip6_copy(to, prefix.address);
	if (prefix.length == 96)
		word32(to + 12) = address;
	else
		for (int i = 0; i < 4; i++)
			to[siit_place(prefix, i)] = ((const __u8 *)&address)[i];
}

/* ::/96 and ::ffff:0:0/96 (RFC 4291, 2.5.5). The address :: itself embeds no IPv4 address. */
static __always_inline bool siit_has_fixed_prefix(const __u8 *address)
{
	return !(word32(address) | word32(address + 4)) && (!word32(address + 8) || word32(address + 8) == htonl(0xffff));
}

/* The IPv4 address in an IPv6 address with this prefix or a fixed one; 0 if there is none. Bytes after it are ignored. */
static __always_inline __be32 siit_embedded(const __u8 *from, struct siit_prefix prefix)
{
	__be32 address = 0;

	if (siit_has_fixed_prefix(from) || (prefix.length == 96 && siit_has_prefix(from, prefix)))
		return word32(from + 12);
	if (siit_has_prefix(from, prefix))
		for (int i = 0; i < 4; i++)
			((__u8 *)&address)[i] = from[siit_place(prefix, i)];
	return address;
}

/* Whether an IPv4 address is an invalid source: in networks 0 and 127, or from 224.0.0.0 on (RFC 1812, 5.3.7). Only ICMP errors
 * from such sources are translated, since they help to find faults (RFC 7915, 4.1).
 */
static __always_inline bool siit_is_no_source(__be32 address)
{
	const __u8 network = *(const __u8 *)&address;

	return !network || network == 127 || network >= 224;
}

/* Two corresponding prefixes, filled up with zeros (RFC 7757, 3.2). */
struct siit_mapping {
	__be32 four;
	int length4;
	__u8 six[16];
	int length6;
};

/* Map an IPv4 address to IPv6; false if it isn't in the mapping. */
static __always_inline bool siit_map6(const struct siit_mapping *mapping, __be32 from, __u8 *to)
{
	const __u32 rest = mapping->length4 < 32 ? ntohl(from ^ mapping->four) << mapping->length4 : 0;
	const int word = mapping->length6 / 32, shift = mapping->length6 % 32;

	if (mapping->length4 && ntohl(from ^ mapping->four) >> (32 - mapping->length4))
		return false;
	ip6_copy(to, mapping->six);
	if (word < 4)
		word32(to + 4 * word) |= htonl(rest >> shift);
	if (word < 3 && shift)
		word32(to + 4 * word + 4) |= htonl(rest << (32 - shift));
	return true;
}

/* Map an IPv6 address to IPv4. */
static __always_inline bool siit_map4(const struct siit_mapping *mapping, const __u8 *from, __be32 *to)
{
	const int word = mapping->length6 / 32, shift = mapping->length6 % 32;
	__u32 rest = word < 4 ? ntohl(word32(from + 4 * word)) << shift : 0;

	if (!siit_has_prefix(from, (struct siit_prefix){.address = mapping->six, .length = mapping->length6}))
		return false;
	if (word < 3 && shift)
		rest |= ntohl(word32(from + 4 * word + 4)) >> (32 - shift);
	*to = mapping->four | (mapping->length4 < 32 ? htonl(rest >> mapping->length4) : 0);
	return true;
}

/* The offset of the checksum in a TCP or UDP header, or -1 for other protocols, whose checksums don't cover addresses. */
static __always_inline int siit_checksum_at(__u8 protocol)
{
	if (protocol == PROTOCOL_TCP)
		return offsetof(struct tcp_header, checksum);
	return protocol == PROTOCOL_UDP ? (int)offsetof(struct udp_header, checksum) : -1;
}

/* The checksum after a sum changes from `from` to `to`; never 0 for UDP, where that means no checksum. */
static __always_inline __u16 siit_update(__u16 check, __u16 from, __u16 to, bool udp)
{
	const __u16 result = checksum_update(check, from, to);

	return udp && !result ? 0xffff : result;
}

/* The sums of both protocols' addresses, for siit_update(). The `pseudo` ones are for ICMPv6, which, unlike ICMP, has a
 * pseudo-header.
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

/* The other protocol's type of an echo request or reply. */
static __always_inline __u8 siit_echo(__u8 type)
{
	return type == ICMP6_ECHO ? ICMP_ECHO : type == ICMP6_ECHO_REPLY ? ICMP_ECHO_REPLY : type == ICMP_ECHO ? ICMP6_ECHO : ICMP6_ECHO_REPLY;
}

/* Updates the message, of `protocol`, 40 bytes after the packet's start; *before becomes its old checksum, or 0 if it has none.
 * False if the packet is too short. Each protocol has its own length check, which the verifier wouldn't remember otherwise.
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

/* An identification for small fragmentable packets, from checksum and length, which vary between packets. */
static __always_inline __u16 siit_identification(__u16 check, __u32 length)
{
	return (__u16)(check * 0x9e37u + length) ?: 1;
}
