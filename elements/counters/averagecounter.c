#include "common/clock.h"

#define MS_PER_SECOND 1000

ELEMENT(AverageCounter)
{
	struct SELF(counters) *c = slot(counters);
	struct SELF(vars) *vars = var(vars);
	__u64 time, first, age;

	time = now() / NS_PER_MS;
	first = read_once(vars->first);
	if (!first) {
		write_once(vars->first, time);
		first = time;
	}
	/* Another CPU's clock may have been slightly ahead for the first packet. */
	age = time > first ? time - first : 0;
	if (cfg.max && age >= (__u64)cfg.max * MS_PER_SECOND)
		return OUTPUT(0);
	if (age >= (__u64)cfg.ignore * MS_PER_SECOND) {
		c->count++;
		c->byte_count += pkt_len(p);
	}
	c->last = time;
	return OUTPUT(0);
}
