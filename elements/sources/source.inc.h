/* Make packets of given data. The state is `source` (_source.py). Included once for each instance. */
#include "sources/limit.inc.h"

static inline struct pkt *SELF(make)(struct SELF(source) *s, __u32 headroom, bool stamped)
{
	struct pkt *p = pkt_new(headroom, s->length);

	if (!p)
		return NULL;
	memcpy(p->data, s->data, s->length);
	if (stamped)
		p->timestamp = wall_clock();
	s->count++;
	return p;
}

/* Whether the source has just reached its end: true only once, until a handler restarts it. */
static inline bool SELF(end)(struct SELF(source) *s)
{
	if (s->ending)
		return false;
	s->ending = true;
	if (cfg.stop)
		driver_stop();
	return true;
}
