/* Packets of given data, the state `source` (_source.py); included once for each instance. */
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

/* True once, until a handler restarts it, however often it is woken. */
static inline bool SELF(end)(struct SELF(source) *s)
{
	if (s->ending)
		return false;
	s->ending = true;
	if (cfg.stop)
		driver_stop();
	return true;
}
