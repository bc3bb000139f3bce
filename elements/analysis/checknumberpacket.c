#include "analysis/number.h"
#include "ip/ip.h"

static __always_inline int SELF(refuse)(int drop)
{
	return SELF(noutputs) == 2 ? OUTPUT(1) : drop;
}

ELEMENT(CheckNumberPacket)
{
	const struct SELF(vars) *vars = var(vars);
	const void *place = pkt_data(p, cfg.offset, NUMBER_SIZE);
	struct SELF(numbers) *found;
	__u64 number;

	if (!place)
		return SELF(refuse)(DROP(MALFORMED));
	number = number_read(place, cfg.net_order);
	found = number < read_once(vars->count) ? at(numbers, number) : NULL;
	if (found) {
		__sync_fetch_and_add(&found->seen, 1);
		return OUTPUT(0);
	}
	if (!USERSPACE)
		return PUNT;
	warn(ALWAYS, "%s: %llu out of scope (count is %llu)", SELF(name), (unsigned long long)number,
	     (unsigned long long)vars->count);
	return SELF(refuse)(DROP(FILTERED));
}
