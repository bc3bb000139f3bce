#include "classification/regions.h"

/* SELF(match) is compiled from the patterns. */
ELEMENT(IPFilter)
{
	return SELF(match)(p);
}
