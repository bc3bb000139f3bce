#include "ethernet/arpunasked.h"
#include "common/clock.h"

INIT()
{
	timer_after(NS_PER_SECOND);
	return 0;
}

TIMER()
{
	struct pkt *p = arp_unasked(cfg.dsteth, cfg.dstip, cfg.srceth, cfg.srcip);

	if (p)
		emit(p, 0);
	timer_after(10 * NS_PER_SECOND);
}
