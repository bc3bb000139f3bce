#include "wifi/filter.inc.h"

ELEMENT(FilterFailures)
{
	return SELF(part)(p, WIFI_EXTRA_TX_FAIL);
}
