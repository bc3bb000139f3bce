/* The parts of a packet that packet filters test: `length` bytes of each, or NULL. */
#pragma once

/* Begins two bytes in front of the Ethernet header; these two are never tested. */
#define ETHER_IN_FRONT 2

static __always_inline const __u8 *ether_region(struct pkt *p, __u32 length)
{
	const __u8 *header = pkt_mac_header(p, length - ETHER_IN_FRONT);

	return header ? header - ETHER_IN_FRONT : NULL;
}

static __always_inline const __u8 *ip_region(struct pkt *p, __u32 length)
{
	return pkt_network_header(p, length);
}

static __always_inline const __u8 *transp_region(struct pkt *p, __u32 length)
{
	return pkt_transport_header(p, length);
}
