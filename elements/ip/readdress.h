/* Changes an address of an IP packet, and updates checksums (RFC 1624): the header's, and those of TCP and UDP, whose pseudo-header
 * includes it.
 */
#pragma once

#include "ip/transport.h"

static __always_inline void ip_update_transport(struct pkt *p, __u8 protocol, __u16 from, __u16 to)
{
	if (protocol == PROTOCOL_TCP) {
		struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));

		if (tcp)
			tcp->checksum = checksum_update(tcp->checksum, from, to);
	} else if (protocol == PROTOCOL_UDP) {
		struct udp_header *udp = pkt_transport_header(p, sizeof(*udp));

		if (udp && udp->checksum)
			udp->checksum = checksum_update(udp->checksum, from, to) ?: 0xffff;	/* 0 means no checksum (RFC 768) */
	}
}

/* `at` is the offset of the address in the header. */
static __always_inline void ip_readdress(struct pkt *p, struct iphdr *ip, __u32 at, __be32 address)
{
	__be32 *place = (void *)ip + at;
	const __u16 from = checksum_fold(*place), to = checksum_fold(address);

	*place = address;
	ip->check = checksum_update(ip->check, from, to);
	if (ip_is_first_fragment(ip))
		ip_update_transport(p, ip->protocol, from, to);
}
