#include "trace/replay.inc.h"

static int SELF(output)(const struct pkt *p)
{
	return pkt_anno_u8(p, PAINT_ANNO);
}

#include "trace/replayunqueue.inc.h"
