/* IPv6 packets that aren't plain become IPv4 packets (RFC 7915, 5). Runtime only. */
#ifndef CLICKBPF_IP6_SIIT64_H
#define CLICKBPF_IP6_SIIT64_H

#include "ip6/siithead.h"

/* What becomes of the `length` bytes from an IPv6 header on; false if it can't be translated. `prefix` is one that addresses may have besides
 * the fixed ones, or NULL; `fragmentable` as in siit_identification().
 */
bool siit_64(const __u8 *prefix, bool fragmentable, const __u8 *packet, __u32 length, struct siit_head *head);
/* The last step, when the new packet is `length` bytes at `packet`: lengths and checksums. */
void siit_finish_64(__u8 *packet, __u32 length, const struct siit_head *head);

#endif
