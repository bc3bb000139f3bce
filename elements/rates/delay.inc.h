/* Packets that wait until their time, the state `delay` (_delay.py); included once for each instance. */
#include "timestamps/timestamps.h"

/* The next packet, if its time has come by `time` (ns since 1970); if not, TIMER will run when it has. */
static struct pkt *SELF(next)(struct SELF(delay) *d, __u64 time)
{
	struct pkt *p = d->waiting;

	if (!p) {
		d->waiting = p = pull(0);
		if (!p)
			return NULL;
		p->timestamp = (has_timestamp(p) ? p->timestamp : time) + d->delay;
	}
	if (p->timestamp > time) {
		timer_after(p->timestamp - time);
		return NULL;
	}
	d->waiting = NULL;
	return p;
}

CLEANUP()
{
	struct SELF(delay) *d = private(delay);

	if (d->waiting)
		pkt_free(d->waiting);
	d->waiting = NULL;
}
