/* Segment routing headers (RFC 8754, 2). */
#pragma once

#include "ip6/ip6.h"

struct segments {
	__u8 next;
	__u8 length;		/* in units of 8 bytes, without the first 8 */
	__u8 type;
	__u8 left;		/* segments still to be visited */
	__u8 last;		/* the index of the last address in the list, the first to be visited */
	__u8 flags;
	__be16 tag;
	__u8 addresses[];
};

#define SEGMENTS_TYPE 4

/* An IPv6 header held in words while a header after it is added or removed; the destination is the last two words. */
struct ip6_words {
	__u64 word[5];
};

static __always_inline struct ip6_words ip6_words(const void *ip)
{
	const __u8 *at = ip;

	return (struct ip6_words){ { word64(at), word64(at + 8), word64(at + 16), word64(at + 24), word64(at + 32) } };
}

static __always_inline void ip6_set_destination(struct ip6_words *words, const void *address)
{
	words->word[3] = ip6_high(address);
	words->word[4] = ip6_low(address);
}

/* Writes the header to `at`, the packet's beginning, with a payload longer by `more` bytes, and marks it. */
static __always_inline void ip6_rewrite(struct pkt *p, __u8 *at, const struct ip6_words *words, int more, __u8 next)
{
	struct ip6_header *ip = (void *)at;

#pragma clang loop unroll(full)
	for (int i = 0; i < 5; i++)
		word64(at + 8 * i) = words->word[i];
	ip->length = htons((__u16)(ntohs(ip->length) + more));
	ip->next = next;
	pkt_set_network_header(p, 0);
	pkt_set_dst_ip6(p, ip->destination);
}
