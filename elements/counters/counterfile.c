#include "common/clock.h"

ELEMENT(CounterFile)
{
	count(counters, packets, 1);
	count(counters, bytes, pkt_len(p));
	return OUTPUT(0);
}

#if USERSPACE
TIMER()
{
	call_python(0);
	timer_after(NS_PER_SECOND / 100);
}

INIT()
{
	timer_after(NS_PER_SECOND / 100);
	return 0;
}
#endif
