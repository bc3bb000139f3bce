#include "rates/pacer.inc.h"

#define LEAST ETH_ZLEN	/* the shortest frame on a cable */

ELEMENT(BandwidthPacer)
{
	return SELF(pace)(p, pkt_len(p) < LEAST ? LEAST : pkt_len(p));
}
