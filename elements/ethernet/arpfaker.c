#include "ethernet/arp.h"
#include "rates/clock.h"

static struct pkt *SELF(reply)(void)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, sizeof(struct arp_frame));
	struct arp_frame *arp;

	if (!p)
		return NULL;
	arp = pkt_data(p, 0, sizeof(*arp));
	arp_fill(arp, ARP_REPLY);
	ether_copy(arp->to, cfg.dsteth);
	ether_copy(arp->from, cfg.srceth);
	ether_copy(arp->sender, cfg.srceth);
	word32(arp->sender_ip) = cfg.srcip;
	ether_copy(arp->target, cfg.dsteth);
	word32(arp->target_ip) = cfg.dstip;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	return p;
}

INIT()
{
	timer_after(NS_PER_SECOND);
	return 0;
}

TIMER()
{
	struct pkt *p = SELF(reply)();

	if (p)
		emit(p, 0);
	timer_after(10 * NS_PER_SECOND);
}
