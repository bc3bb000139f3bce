/* Translates IPv4 packets that aren't plain to IPv6 (RFC 7915, 4). Runtime only. */
#pragma once

#include "ip6/siithead.h"

/* Writes the addresses of a packet. A packet `quoted` in an error went the other way. `hairpin`: the packet may come from an IPv6
 * host that has called another IPv6 host by its IPv4 address (RFC 7757, 4.2.1).
 */
typedef void siit_addresses(struct ip6_header *to, const struct iphdr *from, bool quoted, bool hairpin);

/* Translates `length` bytes that begin with an IPv4 header; false if that is impossible. */
bool siit_46(siit_addresses *addresses, const __u8 *packet, __u32 length, struct siit_head *head);
/* The last step, once the new packet is `length` bytes at `packet`: lengths and checksums. */
void siit_finish_46(__u8 *packet, __u32 length, const struct siit_head *head);
