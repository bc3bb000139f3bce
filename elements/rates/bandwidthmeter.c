#include "rates/meter.inc.h"

ELEMENT(BandwidthMeter)
{
	return OUTPUT(SELF(level)(SELF(record)(var(meter), pkt_len(p))));
}
