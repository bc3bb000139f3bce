#include "timestamps/timestamps.h"

/* The element's first timestamp, set by the first packet. */
static __always_inline __u64 SELF(earliest)(struct SELF(vars) *vars, __u64 time)
{
	const __u64 first = read_once(vars->first) ?: __sync_val_compare_and_swap(&vars->first, 0, time);

	return first ?: time;
}

ELEMENT(SetTimestampDelta)
{
	struct SELF(vars) *vars = var(vars);
	const __u64 time = pkt_timestamp(p);

	if (!time)
		return OUTPUT(0);
	if (cfg.type == SELF(RANGE))
		pkt_set_timestamp(p, time - SELF(earliest)(vars, time));
	else if (cfg.type == SELF(NOW))
		pkt_set_timestamp(p, wall_clock() - time);
	else
		pkt_set_timestamp(p, time - *pkt_first_timestamp(p));
	return OUTPUT(0);
}
