/* A token bucket, the state `bucket` (_bucket.py), as Click's TokenBucket. All CPUs and threads may take from it at once.
 *
 * It is refilled once a millisecond. Full, it has 2^32 - 1 units, of which a token is `scale`; each millisecond brings
 * `per_tick`. `level` is one word, so that it changes at once: the millisecond of the last refill, and below it the units.
 *
 * The functions' first arguments are BUCKET(state).
 */
#pragma once

#include "common/clock.h"

#define BUCKET(bucket) &(bucket)->level, read_once((bucket)->scale), read_once((bucket)->per_tick)
#define BUCKET_FULL 0xffffffffu
#define BUCKET_THRESHOLD 131072	/* bytes needed for a packet: no packet is longer */
/* Milliseconds by which a CPU's clock may seem to be behind another's. */
#define BUCKET_APART 8u
/* Attempts to take from a bucket that others take from at the same moment. */
#define BUCKET_TRIES 8

/* The level at a millisecond. If another CPU has seen a later one already, the level doesn't go back. */
static __always_inline __u64 bucket_at(__u64 level, __u32 per_tick, __u32 tick)
{
	__u32 passed = tick - (__u32)(level >> 32);
	__u64 units = (__u32)level + (__u64)passed * per_tick;

	if (passed >= -BUCKET_APART)
		return level;
	return (__u64)tick << 32 | (units < BUCKET_FULL ? units : BUCKET_FULL);
}

/* Whether there are `needed` tokens now. Nothing is changed. */
static __always_inline bool bucket_has(const __u64 *level, __u32 scale, __u32 per_tick, __u32 needed)
{
	return (__u64)needed * scale <= (__u32)bucket_at(read_once(*level), per_tick, now() / NS_PER_MS);
}

/* Whether there are `needed` tokens now; if so, `spent` are taken, or all if there are fewer. */
static __always_inline bool bucket_take(__u64 *level, __u32 scale, __u32 per_tick, __u32 needed, __u32 spent)
{
	const __u32 tick = now() / NS_PER_MS;

	for (int i = 0; i < BUCKET_TRIES; i++) {
		__u64 before = read_once(*level), after = bucket_at(before, per_tick, tick), price = (__u64)spent * scale;
		bool enough = (__u64)needed * scale <= (__u32)after;

		if (enough)
			after -= price < (__u32)after ? price : (__u32)after;
		if (after == before || __sync_bool_compare_and_swap(level, before, after))
			return enough;
	}
	return false;
}

/* For a bucket that permits everything if nothing fills it: whether it permits another packet (without changing it), and taking
 * that. */
static __always_inline bool bucket_permits(const __u64 *level, __u32 scale, __u32 per_tick)
{
	return !per_tick || bucket_has(level, scale, per_tick, 1);
}

static __always_inline bool bucket_grants(__u64 *level, __u32 scale, __u32 per_tick)
{
	return !per_tick || bucket_take(level, scale, per_tick, 1, 1);
}

/* The time, as by now(), when there will be this many tokens, which there weren't at the last refill, a moment ago: whole
 * milliseconds after now, not their beginning.
 */
static __always_inline __u64 bucket_due(const __u64 *level, __u32 scale, __u32 per_tick, __u32 tokens)
{
	__u64 wanted = (__u64)tokens * scale;
	__u64 missing = wanted > (__u32)*level ? wanted - (__u32)*level : 1;

	return now() + (missing + per_tick - 1) / per_tick * NS_PER_MS;
}
