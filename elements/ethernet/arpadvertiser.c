#include "ethernet/arpunasked.h"
#include "common/clock.h"

INIT()
{
	timer_after(NS_PER_SECOND);
	return 0;
}

TIMER()
{
	for (__u32 i = 0; i < var(vars)->count; i++) {
		const struct SELF(table) *entry = at(table, i);
		struct pkt *p = arp_unasked(entry->dsteth, entry->dstip, entry->srceth, entry->srcip);

		if (p)
			emit(p, 0);
	}
	timer_after(10 * NS_PER_SECOND);
}
