#include "timestamps/timestamps.h"

ELEMENT(SetTimestamp)
{
	const __u64 time = cfg.fixed ? cfg.timestamp : wall_clock();

	if (cfg.first)
		*pkt_first_timestamp(p) = time;
	else
		pkt_set_timestamp(p, time);
	return OUTPUT(0);
}
