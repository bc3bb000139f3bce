/* A route's gateway as a packet's annotation has it: an address, or zeros if there is none. That of an IPv4 packet may be an IPv6
 * address: then its first four bytes and its last eight bytes are nonzero, while an IPv4 address has zeros in the last eight.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>

static inline bool gateway_is_ip6(const __u8 *gateway)
{
	return *(const __u64 *)(gateway + 8);
}
