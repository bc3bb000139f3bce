#include "queues/red.c"

#define ADAPT_AFTER 500000000	/* ns */
#define ONE_HUNDREDTH (RED_ONE / 100)
#define NINE_TENTHS 0xe666	/* of RED_ONE */

/* Decrease MAX_P while the queues are shorter than their target, and increase it while they are longer (Floyd, Gummadi and
 * Shenker 2001), within 1/100 and 1/2.
 */
TIMER()
{
	struct SELF(red) *red = private(red);
	__u32 length = cfg.stability ? red->average >> EWMA_SCALE : watched_length();
	__u32 part = (red->max_thresh - red->min_thresh) / 2;

	if (length < red->min_thresh + part && red->max_p > ONE_HUNDREDTH)
		red->max_p = red->max_p * NINE_TENTHS >> 16;
	else if (length > red->max_thresh - part && red->max_p < RED_ONE / 2)
		red->max_p += ONE_HUNDREDTH < red->max_p / 4 ? ONE_HUNDREDTH : red->max_p / 4;
	timer_after(ADAPT_AFTER);
}

INIT()
{
	timer_after(ADAPT_AFTER);
	return 0;
}
