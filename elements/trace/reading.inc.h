/* A source that reads a file. SELF(next)() returns the next packet or NULL, and whether to call again at once; otherwise a timer
 * continues. Included once for each instance.
 */
#include "sources/go.inc.h"

TASK()
{
	bool more;
	struct pkt *p = SELF(next)(private(reader), &more);

	if (more)
		task_schedule();
	if (p)
		emit(p, 0);
	return p || more;
}

PULL()
{
	bool more;
	struct pkt *p = SELF(next)(private(reader), &more);

	if (!p && more)
		wake_pullers();
	return p;
}

TIMER()
{
	SELF(go)();
}
