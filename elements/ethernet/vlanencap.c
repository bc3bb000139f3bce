#include "ethernet/vlan.h"

static __always_inline int SELF(insert)(struct pkt *p, __be16 protocol, __be16 tci)
{
	struct vlan_header *header;

	if (!pkt_push(p, VLAN_HLEN))
		return PUNT;
	header = pkt_data(p, 0, sizeof(*header));
	if (!header)
		return DROP(NO_HEADROOM);
	vlan_move_addresses(header, (__u8 *)header + VLAN_HLEN);
	header->protocol = protocol;
	header->tci = tci;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, sizeof(*header));
	return OUTPUT(0);
}

ELEMENT(VLANEncap)
{
	const struct SELF(tag) *tag = var(tag);
	__be16 tci;

	if (!pkt_data(p, 0, ETH_HLEN))
		return DROP(MALFORMED);
	tci = tag->annotated ? pkt_anno_u16(p, VLAN_TCI_ANNO) : tag->tci;
	if (VLAN_ID(tci) != tag->native)
		return SELF(insert)(p, tag->protocol, tci);
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	return OUTPUT(0);
}
