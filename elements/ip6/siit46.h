/* IPv4 packets that aren't plain become IPv6 packets (RFC 7915, 4). Runtime only. */
#ifndef CLICKBPF_IP6_SIIT46_H
#define CLICKBPF_IP6_SIIT46_H

#include "ip6/siithead.h"

/* The prefixes of 12 bytes: those of addresses of the packet, which the packet within an error has the other way round. */
struct siit_prefixes {
	const __u8 *source, *destination;
};

/* What becomes of the `length` bytes from an IPv4 header on; false if it can't be translated. */
bool siit_46(const struct siit_prefixes *prefixes, const __u8 *packet, __u32 length, struct siit_head *head);
/* The last step, when the new packet is `length` bytes at `packet`: lengths and checksums. */
void siit_finish_46(__u8 *packet, __u32 length, const struct siit_head *head);

#endif
