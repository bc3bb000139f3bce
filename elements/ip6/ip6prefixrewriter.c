#include "ip6/icmp6.h"

#define NPT_ERROR 8	/* bytes of an ICMPv6 error before the packet in it */

static __always_inline bool SELF(has_prefix)(const __u8 *address, const __u32 *prefix)
{
	return !(((word32(address) ^ prefix[0]) & SELF(mask_words)[0]) | ((word32(address + 4) ^ prefix[1]) & SELF(mask_words)[1]));
}

/* The word to change so that the sum stays the same (RFC 6296, 3.4 to 3.7), or NULL if there is none. */
static __always_inline __u8 *SELF(spare_word)(__u8 *address)
{
	if (cfg.length <= 48)
		return word16(address + 6) == 0xffff ? NULL : address + 6;
	if (!(word32(address + 8) | word32(address + 12)))
		return NULL;
#pragma clang loop unroll(full)
	for (int at = 8; at < 16; at += 2)
		if (word16(address + at) != 0xffff)
			return address + at;
	return NULL;
}

/* RFC 6296, 3.1. False, with nothing changed, if the address can't be translated. */
static __always_inline bool SELF(translate)(__u8 *address, const __u32 *from, const __u32 *to, __u16 difference)
{
	__u8 *word = SELF(spare_word)(address);
	__u32 sum;

	if (!word || !SELF(has_prefix)(address, from))
		return false;
	sum = ntohs(word16(word)) + difference;
	sum = (sum & 0xffff) + (sum >> 16);
	word32(address) = (word32(address) & ~SELF(mask_words)[0]) | to[0];
	word32(address + 4) = (word32(address + 4) & ~SELF(mask_words)[1]) | to[1];
	word16(word) = sum == 0xffff ? 0 : htons((__u16)sum);
	return true;
}

static __always_inline bool SELF(outwards)(__u8 *address)
{
	return SELF(translate)(address, SELF(internal_words), SELF(external_words), NPT_OUT);
}

static __always_inline bool SELF(inwards)(__u8 *address)
{
	return SELF(translate)(address, SELF(external_words), SELF(internal_words), NPT_IN);
}

/* The packet quoted in an ICMPv6 error, which went the other way. */
static __always_inline struct ip6_header *SELF(quoted)(struct pkt *p, const struct ip6_header *ip)
{
	const struct ip6_inner inner = ip6_walk(p, ip);
	const struct icmp6_header *icmp = ip6_inner_header(p, &inner, IP6_ICMP, NPT_ERROR);

	if (!icmp || !icmp6_is_error(icmp->type))
		return NULL;
	return pkt_network_data(p, inner.offset + NPT_ERROR, sizeof(*ip));
}

ELEMENT(IP6PrefixRewriter)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip)), *quoted;

	if (!ip || !(input == 0 ? SELF(outwards)(ip->source) : SELF(inwards)(ip->destination)))
		return SELF(noutputs) == 3 ? OUTPUT(2) : DROP(FILTERED);
	quoted = SELF(quoted)(p, ip);
	if (quoted && input == 0)
		SELF(outwards)(quoted->destination);
	if (quoted && input == 1)
		SELF(inwards)(quoted->source);
	if (input == 1) {
		ip = pkt_network_header(p, sizeof(*ip));
		if (ip)
			pkt_set_dst_ip6(p, ip->destination);
	}
	return OUTPUT(input);
}

#undef NPT_OUT
#undef NPT_IN
