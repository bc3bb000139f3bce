#include "trace/replay.inc.h"

static int SELF(output)(const struct pkt *p)
{
	(void)p;
	return 0;
}

#include "trace/replayunqueue.inc.h"
