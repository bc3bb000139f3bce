/* Neighbour discovery on Ethernet (RFC 4861, RFC 2464): solicitations and advertisements as whole frames. */
#pragma once

#include "ip6/icmp6.h"

#define ND_HOPS 255		/* proves that no router has forwarded the message */
#define ND_SOURCE_LINK 1	/* options */
#define ND_TARGET_LINK 2
#define ND_ROUTER 0x80000000u	/* flags of an advertisement */
#define ND_SOLICITED 0x40000000u
#define ND_OVERRIDE 0x20000000u

/* A message with one option, a link-layer address. */
struct nd_frame {
	__u8 to[6], from[6];
	__be16 ethertype;
	struct ip6_header ip;
	__u8 type, code;
	__u16 checksum;
	__be32 flags;
	__u8 target[16];
	__u8 option, units, link[6];
} __attribute__((packed, aligned(2)));

_Static_assert(sizeof(struct nd_frame) == 86, "a solicitation has 86 bytes");

/* Bytes of a message without options, and of the headers before it. */
#define ND_LEAST 24
#define ND_LEAST_ROUTER_SOLICITATION 8
#define ND_FRONT (ETH_HLEN + 40)

/* The Ethernet address of a multicast group (RFC 2464, 7). */
static __always_inline void nd_group_ether(void *to, const __u8 *group)
{
	word16(to) = htons(0x3333);
	word32((__u8 *)to + 2) = word32(group + 12);
}

/* The checksum of a message; 0 if the message includes its right checksum. In the kernel path `length` is an even constant. */
static __always_inline __u16 nd_checksum(const struct ip6_header *ip, const void *message, const __u32 length)
{
	__u64 sum = ip6_pseudo_sum(ip->source, ip->destination, length, IP6_ICMP);

#if USERSPACE
	sum += (__u16)~checksum(message, length);
#else
#pragma clang loop unroll(full)
	for (__u32 at = 0; at < length; at += 2)
		sum += word16(message + at);
#endif
	return ~checksum_fold(sum);
}

/* Fills in everything but the Ethernet destination. The addresses may lie in the frame itself. */
static __always_inline void nd_write(struct nd_frame *frame, __u8 type, const __u8 *source, const __u8 *destination, const __u8 *target,
			    const __u8 *ether, __u32 flags)
{
	struct nd_frame made = { .ethertype = htons(ETH_P_IPV6), .type = type, .flags = htonl(flags), .units = 1 };

	made.option = type == ICMP6_SOLICITATION ? ND_SOURCE_LINK : ND_TARGET_LINK;
	ether_copy(made.to, frame->to);
	ether_copy(made.from, ether);
	ether_copy(made.link, ether);
	made.ip.first = htonl(6u << 28);
	made.ip.length = htons(sizeof(made) - ND_FRONT);
	made.ip.next = IP6_ICMP;
	made.ip.hops = ND_HOPS;
	ip6_copy(made.ip.source, source);
	ip6_copy(made.ip.destination, destination);
	ip6_copy(made.target, target);
	made.checksum = nd_checksum(&made.ip, &made.type, sizeof(made) - ND_FRONT);
	*frame = made;
}

#if USERSPACE
#include <string.h>

/* Whether every option has a length and ends within the message (RFC 4861, 4.6); takes at most a step for each 8 bytes. */
static inline bool nd_options_good(const __u8 *option, const __u8 *end)
{
	for (; option < end; option += option[1] * 8)
		if (end - option < 8 || !option[1] || option[1] * 8 > end - option)
			return false;
	return true;
}

/* The frame as a valid message of a type (RFC 4861, 6.1 and 7.1), or NULL. `least` is the length of the message before its options.
 */
static inline struct nd_frame *nd_received(struct pkt *p, __u8 type, __u32 least)
{
	struct nd_frame *frame = pkt_data(p, 0, ND_FRONT + least);
	__u32 length;

	if (!frame || frame->ethertype != htons(ETH_P_IPV6) || ip6_version(&frame->ip) != 6 || frame->ip.next != IP6_ICMP)
		return NULL;
	length = ntohs(frame->ip.length);
	if (frame->type != type || frame->code || frame->ip.hops != ND_HOPS || length < least || length > pkt_len(p) - ND_FRONT)
		return NULL;
	/* A sum that includes the right checksum is zero. */
	if (nd_checksum(&frame->ip, &frame->type, length) || !nd_options_good(&frame->type + least, &frame->type + length))
		return NULL;
	return frame;
}

/* A neighbour solicitation or advertisement, whose options follow `target`. */
static inline struct nd_frame *nd_message(struct pkt *p, __u8 type)
{
	struct nd_frame *frame = nd_received(p, type, ND_LEAST);

	return frame && !ip6_is_multicast(frame->target) ? frame : NULL;
}

/* The link-layer address in an option of this kind, or NULL; the first option is at `option`. */
static inline const __u8 *nd_link_at(const struct nd_frame *frame, const __u8 *option, __u8 kind)
{
	const __u8 *end = &frame->type + ntohs(frame->ip.length);

	for (; option < end; option += option[1] * 8)
		if (option[0] == kind && option[1] == 1)
			return option + 2;
	return NULL;
}

static inline const __u8 *nd_link(const struct nd_frame *frame, __u8 kind)
{
	return nd_link_at(frame, &frame->option, kind);
}
#endif
