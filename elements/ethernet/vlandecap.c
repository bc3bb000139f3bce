#include "ethernet/vlan.h"

ELEMENT(VLANDecap)
{
	struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));
	__be16 tci = 0;

	if (!eth)
		return DROP(MALFORMED);
	if (eth->h_proto == htons(cfg.ethertype)) {
		struct vlan_header *header = pkt_data(p, 0, sizeof(*header));

		if (!header)
			return DROP(MALFORMED);
		tci = header->tci;
		vlan_move_addresses((__u8 *)header + VLAN_HLEN, header);
		pkt_pull(p, VLAN_HLEN);
	}
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	if (cfg.anno)
		pkt_set_anno_u16(p, VLAN_TCI_ANNO, tci);
	return OUTPUT(0);
}
