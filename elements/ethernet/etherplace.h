/* The 6 bytes of an Ethernet address in packets and annotations. */
#pragma once

/* The largest offset on the kernel path: no packet there is longer, and the verifier refuses more. */
#define ETHER_PLACE_FAR 0x3fff

/* In the kernel, annotations are on the stack, where stores must be aligned. */
static __always_inline void ether_to_anno(struct pkt *p, __u32 anno, const __u8 *from)
{
	for (int i = 0; i < ETH_ALEN; i++)
		pkt_set_anno_u8(p, anno + i, from[i]);
}

static __always_inline void ether_from_anno(struct pkt *p, __u32 anno, __u8 *to)
{
	for (int i = 0; i < ETH_ALEN; i++)
		to[i] = pkt_anno_u8(p, anno + i);
}
