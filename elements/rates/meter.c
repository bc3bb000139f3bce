#include "rates/meter.h"

ELEMENT(Meter)
{
	struct SELF(meter) *meter = private(meter);

	SELF(record)(meter, 1);
	return OUTPUT(SELF(level)(meter));
}
