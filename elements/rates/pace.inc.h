/* Limit events to an even rate, as Click's GapRate. The state is `pace` (_pace.py). Included once for each instance.
 *
 * Each second allows as many events as the true rate; lost time can be made up within a second. With rates in bytes, each byte of a
 * packet is an event; an excess is charged to the next seconds.
 */
#include "common/clock.h"

#define GAP_SHIFT 12	/* bits of fraction of a microsecond */

/* Whether the events are behind the true rate at `time`, so that the next one may happen. */
static bool SELF(behind)(struct SELF(pace) *pace, __u64 time)
{
	__s64 second = time / NS_PER_SECOND;
	__u32 passed = (__u32)(time % NS_PER_SECOND / NS_PER_MICROSECOND) << GAP_SHIFT;
	__s64 due = passed / pace->gap;

	if (pace->second < 0) {
		pace->count = due + (passed % pace->gap > pace->gap / 2);
	} else if (second > pace->second && pace->count > 0 && pace->rate) {
		__s64 owed = (pace->count - 1) / pace->rate + 1, seconds = second - pace->second;

		pace->count -= (owed < seconds ? owed : seconds) * pace->rate;
	}
	pace->second = second;
	return due >= pace->count;
}

/* Arm TIMER for the next event; call after behind(). */
static void SELF(wait)(const struct SELF(pace) *pace)
{
	__u64 microseconds;

	if (!pace->rate)
		return;
	microseconds = (pace->count % pace->rate * pace->gap + (1 << GAP_SHIFT) - 1) >> GAP_SHIFT;
	timer_at((pace->second + pace->count / pace->rate) * NS_PER_SECOND + microseconds * NS_PER_MICROSECOND);
}

TIMER()
{
	wake_pullers();
}

/* Start again after a change of the rate or a reset. */
CONTROL()
{
	struct SELF(pace) *pace = private(pace);

	if (op == SELF(REPACE) && pace->second >= 0 && pace->rate) {
		pace->second = -1;
		SELF(behind)(pace, now());
	}
	wake_pullers();
	return 0;
}
