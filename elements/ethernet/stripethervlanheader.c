#include "ethernet/vlan.h"

ELEMENT(StripEtherVLANHeader)
{
	const struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));
	const struct vlan_header *header;

	if (!eth)
		return DROP(MALFORMED);
	if (eth->h_proto != htons(ETH_P_8021Q)) {
		if (cfg.native_vlan < 0)
			return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
		pkt_set_anno_u16(p, VLAN_TCI_ANNO, htons(cfg.native_vlan));
		pkt_pull(p, sizeof(*eth));
		return OUTPUT(0);
	}
	header = pkt_data(p, 0, sizeof(*header));
	if (!header)
		return DROP(MALFORMED);
	pkt_set_anno_u16(p, VLAN_TCI_ANNO, header->tci);
	pkt_pull(p, sizeof(*header));
	return OUTPUT(0);
}
