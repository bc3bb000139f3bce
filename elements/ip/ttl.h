/* Decrementing the IP TTL. */
#pragma once

#include "ip/ip.h"

/* Decrement the TTL and update the checksum (RFC 1624); false, with nothing changed, for a TTL of 0 or 1. Both are in one 32-bit
 * word, as loaded on a little-endian CPU: the TTL in its low byte, the checksum in its high half. So subtract one from the word,
 * and add one to the high half with an end-around carry; 0xffff becomes 0.
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
