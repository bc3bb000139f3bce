/* Gratuitous ARP replies, one second after the start and then every 10 seconds; included once for each instance.
 *
 * The including file defines SELF(advertise)(), which sends them.
 */
#include "ethernet/arp.h"
#include "common/clock.h"

static void SELF(advertise)(void);

/* Inform the host `target`, `target_ip` that `sender_ip` has the address `sender`. */
static void SELF(send)(const __u8 *target, __be32 target_ip, const __u8 *sender, __be32 sender_ip)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, sizeof(struct arp_frame));
	struct arp_frame *arp;

	if (!p)
		return;
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
	emit(p, 0);
}

INIT()
{
	timer_after(NS_PER_SECOND);
	return 0;
}

TIMER()
{
	SELF(advertise)();
	timer_after(10 * NS_PER_SECOND);
}
