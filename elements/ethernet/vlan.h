/* Ethernet headers with a VLAN tag (IEEE 802.1Q). */
#pragma once

#define VLAN_HLEN 4		/* bytes that a tag adds */
#define VLAN_ID(tci) (ntohs(tci) & 0xfff)

struct vlan_header {
	__u8 to[6], from[6];
	__be16 protocol, tci;
	__be16 type;
};

_Static_assert(sizeof(struct vlan_header) == ETH_HLEN + VLAN_HLEN, "a tagged header has 18 bytes");

/* Copy both addresses to a place that may be one tag's length away. */
static __always_inline void vlan_move_addresses(void *to, const void *from)
{
	const __u32 first = word32((void *)from), second = word32((char *)from + 4), third = word32((char *)from + 8);

	word32(to) = first;
	word32((char *)to + 4) = second;
	word32((char *)to + 8) = third;
}
