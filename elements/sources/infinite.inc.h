/* A source that makes packets by SELF(next)() whenever scheduled or pulled (InfiniteSource). Included once for each instance. */

static void SELF(tell_end)(struct SELF(source) *s)
{
	if (SELF(end)(s) && cfg.calls)
		call_python(0);
}

/* Report the end in a separate run of the task, after the last packets have been processed. */
TASK()
{
	struct SELF(source) *s = private(source);
	__u32 made = 0;

	if (!s->active || downstream_full())
		return false;
	if (SELF(finished)(s)) {
		SELF(tell_end)(s);
		return false;
	}
	for (; made < s->burst && !SELF(finished)(s); made++) {
		struct pkt *p = SELF(next)(s);

		if (!p)
			break;
		emit(p, 0);
	}
	task_schedule();
	return made > 0;
}

PULL()
{
	struct SELF(source) *s = private(source);

	if (!s->active)
		return NULL;
	if (!SELF(finished)(s))
		return SELF(next)(s);
	SELF(tell_end)(s);
	return NULL;
}

#include "sources/go.inc.h"

INIT()
{
	private(source)->ending = false;
	SELF(go)();
	return 0;
}

/* A parameter was changed. */
CONTROL()
{
	struct SELF(source) *s = private(source);

	if (s->active && !SELF(finished)(s)) {
		s->ending = false;
		SELF(go)();
	}
	return 0;
}
