#include "counters/rate.h"

/* Enter what was counted since the last tick into the averages. */
static __always_inline void SELF(measure)(struct SELF(counters) *c)
{
	const __u64 totals[] = {c->count, c->byte_count};
	__u64 tick = rate_tick(), epoch;

	if (likely(c->tick == tick))
		return;
	epoch = now() / RATE_EPOCH;
	for (int i = SELF(PACKETS); i <= SELF(BYTES); i++) {
		c->average[i] = rate_advance(c->average[i], totals[i] - c->measured[i], epoch - c->epoch);
		c->measured[i] = totals[i];
	}
	c->epoch = epoch;
	c->tick = tick;
}

#if USERSPACE
/* COUNT_CALL and BYTE_COUNT_CALL: `left` counts down, and whoever disarms a call makes it. */
static void SELF(count_down)(struct SELF(vars) *vars, __u32 length)
{
	struct SELF(calls) *calls = private(calls);
	const __u64 amounts[] = {1, length};

	for (__u8 i = SELF(PACKETS); i <= SELF(BYTES); i++) {
		__s64 left = __atomic_sub_fetch(&calls->left[i], amounts[i], __ATOMIC_RELAXED);
		__u8 bit = 1 << i;

		/* Exactly so many packets, at least so many bytes. */
		if (i == SELF(PACKETS) ? left != 0 : left > 0)
			continue;
		if (__atomic_fetch_and(&vars->armed, (__u8)~bit, __ATOMIC_RELAXED) & bit)
			call_python(i);
	}
}
#endif

#if !USERSPACE
/* The call that packets wait for is made by the runtime. */
GIVES_UP()
{
	const struct SELF(vars) *vars = var(vars);

	return !vars || vars->armed;
}
#endif

ELEMENT(Counter)
{
	struct SELF(counters) *c = slot(counters);
	struct SELF(vars) *vars = var(vars);

	if (!c || !vars || (!USERSPACE && vars->armed))
		return PUNT;
	SELF(measure)(c);
	c->count += pkt_packets(p);
	c->byte_count += pkt_bytes(p);
#if USERSPACE
	if (unlikely(vars->armed))
		SELF(count_down)(vars, pkt_len(p));
#endif
	return OUTPUT(0);
}

#if USERSPACE

/* The time, for the rates that Python reads. */
CONTROL()
{
	*(__u64 *)argument = now();
	return 0;
}

#endif
