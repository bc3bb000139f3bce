#include "rates/meter.inc.h"

ELEMENT(Meter)
{
	return OUTPUT(SELF(level)(SELF(record)(var(meter), 1)));
}
