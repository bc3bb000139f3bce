/* A token bucket like Click's TokenBucket, in the state `bucket` (_bucket.py). CPUs and threads may use it concurrently.
 *
 * A full bucket has 2^32 - 1 units; a token is `scale` units, and each millisecond adds `per_tick`. `level` is a single word, for
 * atomic updates: the millisecond of the last refill in the upper half, the units in the lower.
 *
 * The functions' first arguments are BUCKET(state).
 */
#pragma once

#include "common/clock.h"

#define BUCKET(bucket) &(bucket)->level, read_once((bucket)->scale), read_once((bucket)->per_tick)
#define BUCKET_FULL 0xffffffffu
#define BUCKET_THRESHOLD 131072	/* bytes needed for a packet: no packet is longer */
/* Milliseconds by which a CPU's clock may lag behind another's. */
#define BUCKET_APART 8u
/* Attempts to update a bucket that others update at the same moment. */
#define BUCKET_TRIES 8

/* The level at millisecond `tick`. If another CPU has already refilled at a later one, that level stays. */
static __always_inline __u64 bucket_at(__u64 level, __u32 per_tick, __u32 tick)
{
	__u32 passed = tick - (__u32)(level >> 32);
	__u64 units = (__u32)level + (__u64)passed * per_tick;

	if (passed >= -BUCKET_APART)
		return level;
	return (__u64)tick << 32 | (units < BUCKET_FULL ? units : BUCKET_FULL);
}

/* Whether there are `needed` tokens now. */
static __always_inline bool bucket_has(const __u64 *level, __u32 scale, __u32 per_tick, __u32 needed)
{
	return (__u64)needed * scale <= (__u32)bucket_at(read_once(*level), per_tick, now() / NS_PER_MS);
}

/* If there are `needed` tokens now, take `spent` of them, or all if there are fewer. */
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

/* For buckets that permit everything if their rate is 0: whether the bucket permits another packet, and taking a token for it. */
static __always_inline bool bucket_permits(const __u64 *level, __u32 scale, __u32 per_tick)
{
	return !per_tick || bucket_has(level, scale, per_tick, 1);
}

static __always_inline bool bucket_grants(__u64 *level, __u32 scale, __u32 per_tick)
{
	return !per_tick || bucket_take(level, scale, per_tick, 1, 1);
}

/* The time, by now(), when there will be `tokens` tokens, after a failed attempt to take them: whole milliseconds from now, not the
 * beginning of a millisecond.
 */
static __always_inline __u64 bucket_due(const __u64 *level, __u32 scale, __u32 per_tick, __u32 tokens)
{
	__u64 wanted = (__u64)tokens * scale;
	__u64 missing = wanted > (__u32)*level ? wanted - (__u32)*level : 1;

	return now() + (missing + per_tick - 1) / per_tick * NS_PER_MS;
}
