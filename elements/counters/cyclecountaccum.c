#include "counters/cycles.h"
#include "ip/ip.h"

ELEMENT(CycleCountAccum)
{
	const __u64 began = *pkt_cycles(p), time = cycles();

	if (began) {
		count(counters, count, pkt_packets(p));
		count(counters, cycles, (time - began) * pkt_packets(p));
		return OUTPUT(0);
	}
	count(counters, zero_count, pkt_packets(p));
	warn(1, "%s :: CycleCountAccum: packet with zero cycle counter annotation!", SELF(name));
	return OUTPUT(0);
}
