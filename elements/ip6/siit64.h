/* Translates IPv6 packets that aren't plain to IPv4 (RFC 7915, 5). Runtime only. */
#pragma once

#include "ip6/siithead.h"

/* The IPv4 address for an IPv6 address; 0 if there is none. */
typedef __be32 siit_address(const __u8 *from);

/* Translates `length` bytes that begin with an IPv6 header; false if that is impossible. `fragmentable` is as in
 * siit_identification().
 */
bool siit_64(siit_address *address, bool fragmentable, const __u8 *packet, __u32 length, struct siit_head *head);
/* The last step, once the new packet is `length` bytes at `packet`: lengths and checksums. */
void siit_finish_64(__u8 *packet, __u32 length, const struct siit_head *head);
