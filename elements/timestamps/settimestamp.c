#include "timestamps/timestamps.h"

ELEMENT(SetTimestamp)
{
	__u64 time = cfg.timestamp;

#if USERSPACE
	if (!cfg.fixed)
		time = wall_clock();
	if (!cfg.first)
		p->timestamp = time;
#endif
	if (cfg.first)
		*pkt_first_timestamp(p) = time;
	return OUTPUT(0);
}
