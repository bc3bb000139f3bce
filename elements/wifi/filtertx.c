#include "wifi/filter.inc.h"

ELEMENT(FilterTX)
{
	return SELF(part)(p, WIFI_EXTRA_TX);
}
