/* Changes an address of an IPv6 packet, and updates the checksum of TCP, UDP or ICMPv6, whose pseudo-header includes it. */
#pragma once

#include "ip6/checksum.h"

/* `at` is the offset of the address in the header. */
static __always_inline void ip6_readdress(struct pkt *p, struct ip6_header *ip, __u32 at, const void *address)
{
	void *place = (void *)ip + at;
	const __u16 from = checksum_fold(ip6_sum_address(place));
	const struct ip6_inner inner = ip6_walk(p, ip);
	/* With a routing header, the pseudo-header has the final destination. */
	__u16 *check = inner.routing && place == ip->destination ? NULL : ip6_transport_checksum(p, &inner);

	if (pkt_is_unseen(p))
		return;
	ip6_copy(place, address);
	if (check)
		*check = checksum_update(*check, from, checksum_fold(ip6_sum_address(address)));
	/* RFC 8200, 8.1: every UDP packet has a checksum. */
	if (check && inner.protocol == PROTOCOL_UDP && !*check)
		*check = 0xffff;
}
