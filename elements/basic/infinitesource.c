#include "basic/source.h"

static inline struct pkt *SELF(next)(struct SELF(source) *s)
{
	struct pkt *p = SELF(make)(s, PKT_HEADROOM);

	if (p && !cfg.timestamp)
		p->timestamp = 0;
	return p;
}

#include "basic/infinite.h"
