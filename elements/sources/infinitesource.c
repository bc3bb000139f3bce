#include "sources/source.inc.h"

static inline struct pkt *SELF(next)(struct SELF(source) *s)
{
	return SELF(make)(s, PKT_HEADROOM, cfg.timestamp);
}

#include "sources/infinite.inc.h"
