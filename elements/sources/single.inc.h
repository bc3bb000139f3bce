/* A source that gets its packets one at a time from SELF(next)(), which arms TIMER if none is due. Included once for each instance. */
#include "sources/go.inc.h"

TASK()
{
	struct pkt *p = SELF(next)();

	if (!p)
		return false;
	emit(p, 0);
	task_schedule();
	return true;
}

PULL()
{
	return SELF(next)();
}

TIMER()
{
	SELF(go)();
}
