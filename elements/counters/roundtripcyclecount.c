#include "counters/cycles.h"

ELEMENT(RoundTripCycleCount)
{
	const __u64 began = cycles();

	emit(p, 0);
	slot(counters)->packets++;
	slot(counters)->cycles += cycles() - began;
	return STOLEN;
}

PULL()
{
	const __u64 began = cycles();
	struct pkt *p = pull(0);

	slot(counters)->packets += p != NULL;
	slot(counters)->cycles += cycles() - began;
	return p;
}
