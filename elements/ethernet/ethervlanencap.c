#include "ethernet/vlan.h"

static __always_inline int SELF(native)(struct pkt *p, const struct SELF(tag) *tag)
{
	struct ethhdr *eth = pkt_prepend(p, sizeof(*eth));

	if (!eth)
		return PUNT;
	ether_copy(eth->h_dest, tag->dst);
	ether_copy(eth->h_source, tag->src);
	eth->h_proto = tag->type;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, sizeof(*eth));
	return OUTPUT(0);
}

static __always_inline int SELF(tagged)(struct pkt *p, const struct SELF(tag) *tag, __be16 tci)
{
	struct vlan_header *header = pkt_prepend(p, sizeof(*header));

	if (!header)
		return PUNT;
	ether_copy(header->to, tag->dst);
	ether_copy(header->from, tag->src);
	header->protocol = tag->protocol;
	header->tci = tci;
	header->type = tag->type;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, sizeof(*header));
	return OUTPUT(0);
}

ELEMENT(EtherVLANEncap)
{
	const struct SELF(tag) *tag = var(tag);
	__be16 tci;

	tci = tag->annotated ? pkt_anno_u16(p, VLAN_TCI_ANNO) : tag->tci;
	return VLAN_ID(tci) == tag->native ? SELF(native)(p, tag) : SELF(tagged)(p, tag, tci);
}
