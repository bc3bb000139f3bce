/* The traffic class of an IPv6 header, which spans two bytes; it contains DSCP (RFC 2474) and ECN (RFC 3168). */
#pragma once

#include "ip6/ip6.h"

#define IP6_CLASS_ECN 3

/* Sets the bits of `mask` to those of `value`. */
static __always_inline void ip6_set_class(struct ip6_header *ip, __u8 mask, __u8 value)
{
	word16(ip) = (word16(ip) & ~htons((__u16)mask << 4)) | htons((__u16)value << 4);
}
