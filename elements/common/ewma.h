/* Exponentially weighted moving averages as Click keeps them: 10 bits of fraction, a new value weighs 2^-shift. */
#pragma once

#define EWMA_SCALE 10
#define EWMA_FORGOTTEN 100	/* the number of zeros after which any average is 0 */

/* A new value; `shift` is at least 1. */
static __always_inline __u64 ewma_update(__u64 average, __u64 value, __u32 shift)
{
	return average + ((__s64)((value << EWMA_SCALE) + (1u << (shift - 1)) - average) >> shift);
}

/* The value 0, `times` times. */
static __always_inline __u64 ewma_decay(__u64 average, __u64 times, __u32 shift)
{
	if (times >= EWMA_FORGOTTEN)
		return 0;
	for (__u32 i = 0; i < EWMA_FORGOTTEN && i < times; i++)
		average = ewma_update(average, 0, shift);
	return average;
}
