#include "analysis/number.h"
#include "ip/ip.h"

/* Values that are not times. */
enum { SELF(NEVER), SELF(ASKED) };

#ifdef OTHER_counter
static bool OTHER(counter, net_order)(void);
#endif

static __attribute__((unused)) bool SELF(net_order)(void)
{
#ifdef OTHER_counter
	return OTHER(counter, net_order)();
#else
	return cfg.net_order;
#endif
}

/* When the packet with the number arrived; 0, with a report, if that is unknown or was read before. For TimestampDiff, which holds
 * the lock.
 */
static __attribute__((unused)) __u64 SELF(take)(__u64 number)
{
	struct SELF(stamps) *stamp = number / cfg.sample < cfg.room ? at(stamps, number / cfg.sample) : NULL;
	__u64 time;

	if (!stamp) {
		warn(ALWAYS, "%s: index %llu is out of range", SELF(name), (unsigned long long)number);
		return 0;
	}
	time = stamp->time;
	if (time == SELF(ASKED)) {
		warn(ALWAYS, "%s: timestamp %llu read multiple times", SELF(name), (unsigned long long)number);
		return 0;
	}
	if (time)
		stamp->time = SELF(ASKED);
	return time;
}

/* The packet's number; false if it has none. */
static bool SELF(number)(struct pkt *p, __u64 *number)
{
	const void *place;

	if (cfg.offset < 0) {
		*number = var(vars)->passed++ * cfg.sample;
		return true;
	}
	place = pkt_data(p, cfg.offset, NUMBER_SIZE);
	if (place)
		*number = number_read(place, SELF(net_order)());
	return place;
}

ELEMENT(RecordTimestamp)
{
	__u64 number;

	if (!SELF(number)(p, &number)) {
		warn(1, "%s: a packet ends before its number", SELF(name));
		return OUTPUT(0);
	}
	if (number % cfg.sample)
		return OUTPUT(0);
	if (number / cfg.sample >= cfg.room)
		warn(1, "%s: no room for number %llu, use N", SELF(name), (unsigned long long)number);
	else
		at(stamps, number / cfg.sample)->time = now();
	return OUTPUT(0);
}
