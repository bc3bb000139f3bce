/* The byte of an IP header that has DSCP (RFC 2474) and ECN (RFC 3168). */
#pragma once

#include "ip/ip.h"

#define TOS_ECN 3
#define ECN_NOT_CAPABLE 0
#define ECN_CONGESTION 3

/* Sets the bits of `mask` to those of `value`, and updates the checksum. */
static __always_inline void ip_set_tos(struct iphdr *ip, __u8 mask, __u8 value)
{
	__u16 before = word16(ip);

	ip->tos = (ip->tos & ~mask) | value;
	ip->check = checksum_update(ip->check, before, word16(ip));
}
