/* IPv6 (RFC 8200): the header, addresses, chains of extension headers, checksums.
 *
 * Addresses are 16 bytes at any alignment. Sums are as in ip/ip.h.
 */
#pragma once

#include "ip/sum.h"
#include "ip/transport.h"

struct ip6_header {
	__be32 first;		/* version, traffic class, flow label */
	__be16 length;		/* bytes after this header */
	__u8 next, hops;
	__u8 source[16], destination[16];
} __attribute__((packed, aligned(2)));	/* after an Ethernet header */

_Static_assert(sizeof(struct ip6_header) == 40, "an IPv6 header has 40 bytes");

/* Next headers (RFC 8200, 4): extension headers, and protocols that elements look for. */
#define IP6_HOP_BY_HOP 0
#define IP6_ROUTING 43
#define IP6_FRAGMENT 44
#define IP6_AUTHENTICATION 51
#define IP6_ICMP 58
#define IP6_DESTINATION 60

/* The most extension headers to walk, so that senders can't make the walk longer. The protocol after more of them is unknown. */
#define IP6_MOST_EXTENSIONS 8

static __always_inline __u8 ip6_version(const struct ip6_header *ip)
{
	return *(const __u8 *)ip >> 4;
}

/* The version in the packet's network header; 0 if it has none. */
static __always_inline int ip_version_of(struct pkt *p)
{
	const __u8 *ip;

	if (pkt_ip_version(p))
		return pkt_ip_version(p);
	ip = pkt_network_header(p, 1);
	return ip ? *ip >> 4 : 0;
}

/* The two halves of an address, as they are in memory. */
#define ip6_high(address) (*(const __u64 *)(address))
#define ip6_low(address) (*(const __u64 *)((const __u8 *)(address) + 8))

static __always_inline void ip6_copy(void *to, const void *from)
{
	const __u64 low = ip6_low(from);

	word64(to) = ip6_high(from);
	word64((__u8 *)to + 8) = low;
}

static __always_inline bool ip6_equal(const void *one, const void *other)
{
	return ip6_high(one) == ip6_high(other) && ip6_low(one) == ip6_low(other);
}

/* The unspecified address, ::. */
static __always_inline bool ip6_is_zero(const void *address)
{
	return !(ip6_high(address) | ip6_low(address));
}

/* The loopback address, ::1. */
static __always_inline bool ip6_is_loopback(const void *address)
{
	return !ip6_high(address) && ip6_low(address) == htonll(1);
}

static __always_inline bool ip6_is_multicast(const void *address)
{
	return *(const __u8 *)address == 0xff;
}

/* Whether an address is ordinary, by its first byte: not multicast (0xff), link-local (0xfe), unspecified, loopback or IPv4-mapped
 * (::/8). Most addresses are global or unique local (RFC 4291, 2.4; RFC 4193).
 */
#define IP6_IS_COMMON(first) ((__u32)(first) - 1 < 0xfd)

static __always_inline bool ip6_is_common(const __u8 *address)
{
	return IP6_IS_COMMON(read_once(*address));
}

/* The destination address annotation. */
static __always_inline void pkt_set_dst_ip6(struct pkt *p, const void *address)
{
	ip6_copy(p->anno + DST_IP6_ANNO, address);
}

static __always_inline __u64 ip6_sum_address(const void *address)
{
	const __u8 *at = address;

	return (__u64)word32(at) + word32(at + 4) + word32(at + 8) + word32(at + 12);
}

/* The sum of a pseudo-header (RFC 8200, 8.1) for a message of `length` bytes. */
static __always_inline __u64 ip6_pseudo_sum(const void *source, const void *destination, __u32 length, __u8 protocol)
{
	return ip6_sum_address(source) + ip6_sum_address(destination) + htonl(length) + htonl(protocol);
}

/* What follows the chain of extension headers. */
struct ip6_inner {
	int protocol;		/* -1: unknown, because the chain is longer than the bound, or than the packet */
	int offset;		/* from the network header */
	int routing;		/* the routing header with segments left, from the network header; 0 if there is none */
	int named;		/* the next header byte with the protocol, from the network header */
	int fragment;		/* the fragment header, from the network header; 0 if there is none */
	bool later;		/* the fragment header belongs to a fragment after the first, in which no transport header is */
};

static __always_inline bool ip6_is_extension(int protocol)
{
	const __u64 extensions = 1ull << IP6_HOP_BY_HOP | 1ull << IP6_ROUTING | 1ull << IP6_FRAGMENT |
				 1ull << IP6_AUTHENTICATION | 1ull << IP6_DESTINATION;

	return protocol >= 0 && protocol < 64 && extensions >> protocol & 1;
}

/* Whether the number isn't an extension header's. The most common ones are compared first; clang would make a table of all. */
static __always_inline bool ip6_is_last(__u8 protocol)
{
	__u32 other = protocol;

	if (likely(protocol == PROTOCOL_UDP || protocol == PROTOCOL_TCP))
		return true;
	asm("" : "+r"(other));
	return !ip6_is_extension(other & 0xff);
}

/* Steps over the extension header at `at`; `extension` is its first 8 bytes, or NULL if the packet ends before. */
static __always_inline void ip6_step_over(const __u8 *extension, struct ip6_inner *at)
{
	int kind = at->protocol;

	at->named = at->offset;
	at->protocol = -1;
	if (!extension)
		return;
	if (kind == IP6_ROUTING && extension[3])
		at->routing = at->offset;
	if (kind == IP6_FRAGMENT) {
		at->fragment = at->offset;
		at->later = word16(extension + 2) & htons(0xfff8);
		at->offset += 8;
	} else {
		at->offset += kind == IP6_AUTHENTICATION ? (extension[1] + 2) * 4 : (extension[1] + 1) * 8;
	}
	at->protocol = extension[0];
}

#include "ip6/chain.h"

/* Walks the packet's chain of extension headers; `ip` is its network header. */
static __always_inline struct ip6_inner ip6_walk(struct pkt *p, const struct ip6_header *ip)
{
	struct ip6_inner inner = {
		.protocol = ip->next, .offset = sizeof(*ip), .named = offsetof(struct ip6_header, next),
	};

	if (!(pkt_ip_version(p) == 6 && pkt_is_bare(p)) && unlikely(ip6_is_extension(inner.protocol)))
		ip6_walk_chain(p, &inner);
	return inner;
}

/* The first `length` bytes of the header of `protocol` after the chain; NULL if the packet has another protocol, is a fragment
 * after the first, or is too short.
 */
static __always_inline void *ip6_inner_header(struct pkt *p, const struct ip6_inner *inner, int protocol, __u32 length)
{
	if (inner->protocol != protocol || inner->later)
		return NULL;
	return pkt_network_data(p, inner->offset, length);
}

/* The final destination of the packet, by its routing header if it has one: the pseudo-header has this address (RFC 8200, 8.1). It
 * is the last entry of type 0 (RFC 5095), and the first of types 2 (RFC 6275) and 4 (RFC 8754). NULL if the packet ends before.
 */
static __always_inline const void *ip6_final_destination(struct pkt *p, const struct ip6_header *ip, const struct ip6_inner *inner)
{
	const __u8 *routing;
	int at = inner->routing + 8;

	if (!inner->routing)
		return ip->destination;
	routing = pkt_network_data(p, inner->routing, 8);
	if (!routing)
		return NULL;
	if (routing[2] == 0 && routing[1] >= 2)
		at += routing[1] * 8 - 16;
	return pkt_network_data(p, at, 16);
}

/* Bytes from the header after the chain to the end by the payload length; negative if that end comes first. */
static __always_inline int ip6_inner_length(const struct ip6_header *ip, const struct ip6_inner *inner)
{
	return (int)sizeof(*ip) + ntohs(ip->length) - inner->offset;
}
