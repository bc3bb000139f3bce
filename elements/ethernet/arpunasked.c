/* Gratuitous ARP replies. */
#include "element.h"
#include "ethernet/arpunasked.h"

struct pkt *arp_unasked(const __u8 *target, __be32 target_ip, const __u8 *sender, __be32 sender_ip)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, sizeof(struct arp_frame));
	struct arp_frame *arp;

	if (!p)
		return NULL;
	arp = pkt_data(p, 0, sizeof(*arp));
	arp_fill(arp, ARP_REPLY);
	ether_copy(arp->to, target);
	ether_copy(arp->from, sender);
	ether_copy(arp->sender, sender);
	word32(arp->sender_ip) = sender_ip;
	ether_copy(arp->target, target);
	word32(arp->target_ip) = target_ip;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	return p;
}
