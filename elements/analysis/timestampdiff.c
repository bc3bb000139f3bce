#include "analysis/number.h"
#include "ip/ip.h"

static __u64 OTHER(recorder, take)(__u64 number);
static bool OTHER(recorder, net_order)(void);

static void SELF(keep)(struct pkt *p, __u64 delay)
{
	struct SELF(vars) *vars = var(vars);
	struct SELF(delays) *kept = vars->count < cfg.room ? at(delays, vars->count) : NULL;
	const __u8 *byte = cfg.tc_offset >= 0 ? pkt_data(p, cfg.tc_offset, 1) : NULL;

	if (!kept)
		return;
	kept->delay = delay;
	kept->tc = byte ? *byte & cfg.tc_mask : 0;
	vars->count++;
}

ELEMENT(TimestampDiff)
{
	const void *place = pkt_data(p, cfg.offset, NUMBER_SIZE);
	const __u64 number = place ? number_read(place, OTHER(recorder, net_order)()) : 0;
	__u64 sent, took;

	if (place && number % cfg.sample)
		return OUTPUT(0);
	sent = place ? OTHER(recorder, take)(number) : 0;
	if (!sent)
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
	took = now() - sent;
	if (took <= cfg.maxdelay * 1000000ull)
		SELF(keep)(p, cfg.nano ? took : took / 1000);
	else if (cfg.verbose)
		warn(ALWAYS, "%s: packet %llu took %llu ms, more than %u ms", SELF(name), (unsigned long long)number,
		     (unsigned long long)took / 1000000, cfg.maxdelay);
	return OUTPUT(0);
}
