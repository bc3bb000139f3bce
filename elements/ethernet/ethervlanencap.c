#include "ethernet/vlan.h"

static __always_inline int SELF(native)(struct pkt *p, const struct SELF(tag) *tag)
{
	struct ethhdr *eth;

	if (!pkt_push(p, sizeof(*eth)))
		return PUNT;
	eth = pkt_data(p, 0, sizeof(*eth));
	if (!eth)
		return DROP(NO_HEADROOM);
	ether_copy(eth->h_dest, tag->dst);
	ether_copy(eth->h_source, tag->src);
	eth->h_proto = tag->type;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, sizeof(*eth));
	return OUTPUT(0);
}

static __always_inline int SELF(tagged)(struct pkt *p, const struct SELF(tag) *tag, __be16 tci)
{
	struct vlan_header *header;

	if (!pkt_push(p, sizeof(*header)))
		return PUNT;
	header = pkt_data(p, 0, sizeof(*header));
	if (!header)
		return DROP(NO_HEADROOM);
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
