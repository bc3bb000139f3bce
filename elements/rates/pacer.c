#include "rates/pacer.inc.h"

ELEMENT(Pacer)
{
	return SELF(pace)(p, 1);
}
