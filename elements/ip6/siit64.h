/* IPv6 packets that aren't plain become IPv4 packets (RFC 7915, 5). Runtime only. */
#pragma once

#include "ip6/siithead.h"

/* Translates `length` bytes that begin with an IPv6 header; false if that is impossible. `prefix` is one more prefix that addresses
 * may have; `fragmentable` is as in siit_identification().
 */
bool siit_64(struct siit_prefix prefix, bool fragmentable, const __u8 *packet, __u32 length, struct siit_head *head);
/* The last step, once the new packet is `length` bytes at `packet`: lengths and checksums. */
void siit_finish_64(__u8 *packet, __u32 length, const struct siit_head *head);
