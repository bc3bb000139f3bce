#include "rates/meter.inc.h"

ELEMENT(Meter)
{
	struct SELF(meter) *meter = var(meter);

	return meter ? OUTPUT(SELF(level)(SELF(record)(meter, 1))) : PUNT;
}
