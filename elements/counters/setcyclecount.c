#include "counters/cycles.h"

ELEMENT(SetCycleCount)
{
	*pkt_cycles(p) = cycles();
	return OUTPUT(0);
}
