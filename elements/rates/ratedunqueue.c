/* RatedUnqueue: pull-to-push converter with a rate of packets. */
#include "rates/ratedunqueue.inc.h"

static __u32 SELF(price)(const struct pkt *p)
{
	(void)p;
	return 1;
}

TASK()
{
	return SELF(run)(1, SELF(price));
}
