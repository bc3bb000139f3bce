#include "trace/replay.h"

static int SELF(output)(const struct pkt *p)
{
	(void)p;
	return 0;
}

#include "trace/replayunqueue.h"
