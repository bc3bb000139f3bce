/* Decrementing the IP TTL. */
#ifndef CLICKBPF_IP_TTL_H
#define CLICKBPF_IP_TTL_H

#include "ip/ip.h"

/* Decrements a TTL that is not 0, and updates the checksum (RFC 1624). The two are the low byte and the high half of one word as it
 * is read from the packet: the half gets one more, and the carry of its ones' complement, 0xffff being 0.
 */
static __always_inline void ip_decrement_ttl(struct iphdr *ip)
{
	__u32 word = word32(&ip->ttl);

	if (unlikely(word >= 0xfffe0000))
		word += 0x10000;
	word32(&ip->ttl) = word + 0xffff;
}

#endif
