#include "ethernet/arp.h"

#define SECOND 1000000000ull

static struct pkt *SELF(reply)(const struct SELF(table) *entry)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, sizeof(struct arp_frame));
	struct arp_frame *arp;

	if (!p)
		return NULL;
	arp = pkt_data(p, 0, sizeof(*arp));
	arp_fill(arp, ARP_REPLY);
	ether_copy(arp->to, entry->dsteth);
	ether_copy(arp->from, entry->srceth);
	ether_copy(arp->sender, entry->srceth);
	word32(arp->sender_ip) = entry->srcip;
	ether_copy(arp->target, entry->dsteth);
	word32(arp->target_ip) = entry->dstip;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	return p;
}

INIT()
{
	timer_after(SECOND);
	return 0;
}

TIMER()
{
	for (__u32 i = 0; i < var(vars)->count; i++) {
		struct pkt *p = SELF(reply)(at(table, i));

		if (p)
			emit(p, 0);
	}
	timer_after(10 * SECOND);
}
