/* Decrementing the IP TTL. */
#pragma once

#include "ip/ip.h"

/* Decrements the TTL, and updates the checksum (RFC 1624); false, with nothing changed, for a TTL of 0 or 1. TTL and checksum are the low
 * byte and the high half of one word as it is read from the packet: the half gets one more, and the carry of its ones' complement, 0xffff
 * being 0.
 */
static __always_inline bool ip_decrement_ttl(struct iphdr *ip)
{
	__u32 word = word32(&ip->ttl);

	if (unlikely(!any_bit(word, 0xfe)))
		return false;
	if (unlikely(word >= 0xfffe0000))
		word += 0x10000;
	word32(&ip->ttl) = word + 0xffff;
	return true;
}
