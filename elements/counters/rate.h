/* Rates of events, measured as in Click's RateEWMA: an average over epochs of a millisecond, in which each new epoch weighs 1/16.
 *
 * Reading the clock for each event would cost more than counting it. So events are only counted, and rate_advance(), called when
 * rate_tick() has changed, adds the counts since the last call to the averages.
 */
#pragma once

#define RATE_SCALE 20		/* bits of fraction of an average */
#define RATE_EPOCH 1000000	/* ns */
/* Epochs between two ticks under a steady stream of events. Events are spread over at most this many epochs; any others since the
 * last tick were empty.
 */
#define RATE_TICK_EPOCHS 4

/* As in Click, an average is 0 after this many epochs without a reading or an event. */
#define RATE_MOST_EPOCHS 100

/* A value that changes every few milliseconds; almost free. */
static __always_inline __u64 rate_tick(void)
{
#if USERSPACE || defined(SIMULATED_TIME)
	return now_coarse() / RATE_EPOCH;
#else
	return bpf_jiffies64();
#endif
}

/* 2^16 * (15/16)^epochs, for up to 127 epochs: the weight left to an old average. */
static __always_inline __u64 rate_left(__u64 epochs)
{
	__u64 left = 1 << 16;

	left = epochs & 0x01 ? left * 61440 >> 16 : left;
	left = epochs & 0x02 ? left * 57600 >> 16 : left;
	left = epochs & 0x04 ? left * 50625 >> 16 : left;
	left = epochs & 0x08 ? left * 39107 >> 16 : left;
	left = epochs & 0x10 ? left * 23336 >> 16 : left;
	left = epochs & 0x20 ? left * 8310 >> 16 : left;
	return epochs & 0x40 ? left * 1054 >> 16 : left;
}

/* The average after `epochs` with `events`. */
static __always_inline __u64 rate_advance(__u64 average, __u64 events, __u64 epochs)
{
	__u64 spread = epochs < RATE_TICK_EPOCHS ? epochs : RATE_TICK_EPOCHS;
	__u64 each;

	if (!spread)
		return average;
	if (epochs > RATE_MOST_EPOCHS)
		return 0;
	each = (events << RATE_SCALE) / spread;
	average = each + ((__s64)((average - each) * rate_left(spread)) >> 16);
	return average * rate_left(epochs - spread) >> 16;
}
