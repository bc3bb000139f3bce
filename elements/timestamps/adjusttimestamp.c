#include "timestamps/timestamps.h"

ELEMENT(AdjustTimestamp)
{
	const struct SELF(vars) *vars = var(vars);
	const __u64 time = cfg.first ? *pkt_first_timestamp(p) : pkt_timestamp(p);

	if (!time && !cfg.all)
		return OUTPUT(0);
	if (cfg.first)
		*pkt_first_timestamp(p) = time + vars->time;
	else
		pkt_set_timestamp(p, time + vars->time);
	return OUTPUT(0);
}
