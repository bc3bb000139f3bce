/* The byte of an IP header with DSCP (RFC 2474) and ECN (RFC 3168). */
#pragma once

#include "ip/ip.h"

#define TOS_ECN 3
#define ECN_NOT_CAPABLE 0
#define ECN_CONGESTION 3

/* Set the bits in `mask` to those of `value`, and update the checksum. */
static __always_inline void ip_set_tos(struct iphdr *ip, __u8 mask, __u8 value)
{
	__u16 before = word16(ip);

	ip->tos = (ip->tos & ~mask) | value;
	ip->check = checksum_update(ip->check, before, word16(ip));
}
