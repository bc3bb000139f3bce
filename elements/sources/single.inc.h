/* A source that has its packets one at a time from SELF(next)(), which makes TIMER run when it isn't time for one yet. Included once for
 * each instance.
 */
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
