#include "common/clock.h"
#include "common/ewma.h"

#define RED_ONE 0x10000		/* probability 1 */
#define RED_IDLE (NS_PER_SECOND / 50)	/* an empty queue is counted once in this many ns */

/* Add the current length to the average; returns the value to compare with the thresholds, with EWMA_SCALE bits of fraction. */
static __u64 SELF(observe)(struct SELF(red) *red)
{
	__u64 length = watched_length(), time;

	if (!cfg.stability)
		return length << EWMA_SCALE;
	if (length) {
		red->average = ewma_update(red->average, length, cfg.stability);
		red->idle = 0;
	} else {
		time = now() / RED_IDLE;
		red->average = ewma_decay(red->average, red->idle ? time - red->idle : 1, cfg.stability);
		red->idle = time;
	}
	return red->average;
}

/* The curve: the probability of a drop. */
static __u32 SELF(probability)(const struct SELF(red) *red, __u64 average)
{
	__u64 low = (__u64)red->min_thresh << EWMA_SCALE, high = (__u64)red->max_thresh << EWMA_SCALE;

	if (average >> EWMA_SCALE > red->max_thresh)
		return red->max_p + (RED_ONE - red->max_p) * (average - high) / high;
	return high > low ? red->max_p * (average - low) / (high - low) : 0;
}

/* The number of packets between two drops is uniform from 1 to 1 / probability. */
static bool SELF(drops)(struct SELF(red) *red)
{
	__u64 average = SELF(observe)(red);
	__u32 probability, length = average >> EWMA_SCALE;
	bool dropped;

	if (length <= red->min_thresh || length > red->limit) {
		red->since = -1;
		return length > red->min_thresh;
	}
	probability = SELF(probability)(red, average);
	red->since++;
	dropped = red->since > 0 && probability && red->since > (__s32)(red->random / probability);
	if (dropped)
		red->since = 0;
	if (!red->since)
		red->random = random_u32() % RED_ONE;
	return dropped;
}

ELEMENT(RED)
{
	if (!SELF(drops)(private(red)))
		return OUTPUT(0);
	private(drop)->count++;
	return output_is_connected(1) ? OUTPUT(1) : DROP(FULL);
}

PULL()
{
	struct pkt *p;

	/* Each iteration removes a packet, so the loop ends. */
	while ((p = pull(0)) && SELF(drops)(private(red))) {
		private(drop)->count++;
		if (output_is_connected(1))
			emit(p, 1);
		else
			discard(p, FULL);
	}
	return p;
}

#include "queues/watched.inc.h"
