#include "rates/pace.inc.h"

PULL()
{
	struct SELF(pace) *pace = private(pace);
	struct pkt *p;

	if (!SELF(behind)(pace, now())) {
		SELF(wait)(pace);
		return NULL;
	}
	p = pull(0);
	if (p)
		pace->count += pkt_len(p);
	return p;
}
