#include "wifi/filter.inc.h"

ELEMENT(FilterPhyErr)
{
	return SELF(part)(p, WIFI_EXTRA_RX_ERR);
}
