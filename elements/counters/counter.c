#include "counters/rate.h"

/* Update the averages with the counts since the last tick. */
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

/* Which calls are armed, and whether any is in progress. */
static __always_inline __u32 SELF(waits)(struct SELF(vars) *vars)
{
	return read_once(word32(vars->armed));
}

/* COUNT_CALL and BYTE_COUNT_CALL count down in `left`. */
#if USERSPACE
/* The thread that disarms a call makes it. Meanwhile the kernel path punts all packets, so that they see the call's effects. */
static void SELF(call)(struct SELF(vars) *vars, __u8 which)
{
	__atomic_fetch_add(&vars->armed[SELF(CALLING)], 1, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&vars->armed[which], 0, __ATOMIC_SEQ_CST))
		call_python(which);
	__atomic_fetch_sub(&vars->armed[SELF(CALLING)], 1, __ATOMIC_SEQ_CST);
}

static void SELF(count_down)(struct SELF(vars) *vars, __u32 length)
{
	const __u64 amounts[] = {1, length};

	for (__u8 i = SELF(PACKETS); i <= SELF(BYTES); i++) {
		__s64 left = __atomic_sub_fetch(&vars->left[i], amounts[i], __ATOMIC_RELAXED);

		/* Exactly that many packets, at least that many bytes. */
		if (vars->armed[i] && (i == SELF(PACKETS) ? left == 0 : left <= 0))
			SELF(call)(vars, i);
	}
}
#else
#define MOST_BYTES (1 << 16)	/* of a packet */
#define TRIES 8			/* attempts to count a packet in competition with other CPUs */

/* Whether all calls are too far off to be reached by the packets currently on all CPUs. */
static __always_inline bool SELF(is_far)(struct SELF(vars) *vars)
{
	const __u32 waits = SELF(waits)(vars);

	if (waits >> 8 * SELF(CALLING))
		return false;
	if (vars->armed[SELF(PACKETS)] && read_once(vars->left[SELF(PACKETS)]) <= (__s64)slots)
		return false;
	return !vars->armed[SELF(BYTES)] || read_once(vars->left[SELF(BYTES)]) > (__s64)slots * MOST_BYTES;
}

/* Count the packet unless it makes a call due: then `left` stays unchanged, so that later packets are punted as well. */
static __always_inline bool SELF(take)(__s64 *left, __s64 amount)
{
	for (int i = 0; i < TRIES; i++) {
		const __s64 before = read_once(*left);

		if (before <= amount)
			return false;
		if (__sync_val_compare_and_swap(left, before, before - amount) == before)
			return true;
	}
	return false;
}

/* False if the runtime has to count the packet, as only the runtime makes calls. */
static __always_inline bool SELF(count_down)(struct SELF(vars) *vars, __u32 packets, __u32 length)
{
	if (packets > 1)
		return false;
	if (SELF(is_far)(vars)) {
		__sync_fetch_and_sub(&vars->left[SELF(PACKETS)], 1);
		__sync_fetch_and_sub(&vars->left[SELF(BYTES)], length);
		return true;
	}
	if (SELF(waits)(vars) == 1 << 8 * SELF(PACKETS))
		return SELF(take)(&vars->left[SELF(PACKETS)], 1);
	if (SELF(waits)(vars) == 1 << 8 * SELF(BYTES))
		return SELF(take)(&vars->left[SELF(BYTES)], length);
	return false;	/* two calls, or one in progress */
}

GIVES_UP()
{
	struct SELF(vars) *vars = var(vars);

	return SELF(waits)(vars) && (pkt_packets(p) > 1 || !SELF(is_far)(vars));
}
#endif

ELEMENT(Counter)
{
	struct SELF(counters) *c = slot(counters);
	struct SELF(vars) *vars = var(vars);

#if !USERSPACE
	if (unlikely(SELF(waits)(vars)) && !SELF(count_down)(vars, pkt_packets(p), pkt_len(p)))
		return PUNT;
#endif
	SELF(measure)(c);
	c->count += pkt_packets(p);
	c->byte_count += pkt_bytes(p);
#if USERSPACE
	if (unlikely(SELF(waits)(vars)))
		SELF(count_down)(vars, pkt_len(p));
#endif
	return OUTPUT(0);
}
