/* Delay packets until their departure time. The state is `delay` (_delay.py). Included once for each instance. */
#include "timestamps/timestamps.h"

/* The next packet if it is due by `time` (ns since 1970); otherwise arm TIMER for it. */
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
