#include "rates/meter.inc.h"

ELEMENT(BandwidthMeter)
{
	struct SELF(meter) *meter = var(meter);

	return meter ? OUTPUT(SELF(level)(SELF(record)(meter, pkt_len(p)))) : PUNT;
}
