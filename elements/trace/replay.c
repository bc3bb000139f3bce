#include "trace/replay.inc.h"

PULL()
{
	struct SELF(replay) *r = private(replay);

	return SELF(ready)(r) ? SELF(copy)(r) : NULL;
}

CONTROL()
{
	struct SELF(replay) *r = private(replay);

	if (op == SELF(RESET))
		SELF(forget)(r);
	wake_pullers();
	return 0;
}
