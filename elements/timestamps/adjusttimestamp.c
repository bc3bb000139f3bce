#include "timestamps/timestamps.h"

ELEMENT(AdjustTimestamp)
{
	const struct SELF(vars) *vars = var(vars);
	__u64 *time = pkt_first_timestamp(p);

	if (!vars)
		return PUNT;
#if USERSPACE
	if (!cfg.first)
		time = &p->timestamp;
#endif
	if (*time || cfg.all)
		*time += vars->time;
	return OUTPUT(0);
}
