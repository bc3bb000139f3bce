#include "rates/delay.inc.h"

#define BURST 64	/* packets per run, so that other tasks get their turn */

TASK()
{
	struct pkt *p;
	int sent = 0;

	while (sent < BURST && (p = SELF(next)(private(delay), wall_clock()))) {
		emit(p, 0);
		sent++;
	}
	if (sent == BURST)
		task_schedule();
	return sent > 0;
}
