/* Gratuitous ARP replies, one second after the start and then every 10 seconds; included once for each instance.
 *
 * The including file defines SELF(advertise)(), which sends them.
 */
#include "ethernet/arpunasked.h"
#include "common/clock.h"

static void SELF(advertise)(void);

static void SELF(send)(const __u8 *target, __be32 target_ip, const __u8 *sender, __be32 sender_ip)
{
	struct pkt *p = arp_unasked(target, target_ip, sender, sender_ip);

	if (p)
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
