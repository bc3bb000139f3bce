/* IPv4 packets that aren't plain become IPv6 packets (RFC 7915, 4). Runtime only. */
#pragma once

#include "ip6/siithead.h"

/* The prefixes for a packet's addresses; the packet in an error has them the other way round. */
struct siit_prefixes {
	struct siit_prefix source, destination;
};

/* Translates `length` bytes that begin with an IPv4 header; false if that is impossible. */
bool siit_46(const struct siit_prefixes *prefixes, const __u8 *packet, __u32 length, struct siit_head *head);
/* The last step, once the new packet is `length` bytes at `packet`: lengths and checksums. */
void siit_finish_46(__u8 *packet, __u32 length, const struct siit_head *head);
