/* One hop less to live. */
#ifndef CLICKBPF_IP_TTL_H
#define CLICKBPF_IP_TTL_H

#include "ip/ip.h"

/* In a checksum's sum, what a decremented TTL adds: ~word + (word - 1), the TTL being the low byte as read from the packet. */
#define TTL_DECREMENTED 0xfffe

/* Decrements a TTL that is not 0, and updates the checksum (RFC 1624). */
static __always_inline void ip_decrement_ttl(struct iphdr *ip)
{
	ip->ttl--;
	ip->check = ~checksum_fold((__u64)(__u16)~ip->check + TTL_DECREMENTED);
}

#endif
