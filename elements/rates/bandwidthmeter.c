#include "rates/meter.h"

ELEMENT(BandwidthMeter)
{
	struct SELF(meter) *meter = private(meter);

	SELF(record)(meter, pkt_len(p));
	return OUTPUT(SELF(level)(meter));
}
