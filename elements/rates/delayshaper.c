#include "rates/delay.inc.h"

PULL()
{
	__u64 time = wall_clock();
	struct pkt *p = SELF(next)(private(delay), time);

	if (p)
		p->timestamp = time;
	return p;
}

TIMER()
{
	wake_pullers();
}
