#include "sources/source.inc.h"
#include "sources/timed.inc.h"

INIT()
{
	struct SELF(source) *s = private(source);

	if (s->active)
		SELF(wait)(s, now() + s->interval);
	return 0;
}

TIMER()
{
	struct SELF(source) *s = private(source);
	struct pkt *p;

	s->waiting = false;
	if (!s->active)
		return;
	if (SELF(finished)(s)) {
		SELF(end)(s);
		return;
	}
	p = SELF(make)(s, s->headroom, true);
	SELF(wait)(s, s->due + s->interval);
	if (p)
		emit(p, 0);
}

/* Send at once, unless already waiting for the next interval. */
CONTROL()
{
	struct SELF(source) *s = private(source);

	s->ending = false;
	if (s->active && !s->waiting)
		SELF(wait)(s, now());
	return 0;
}
