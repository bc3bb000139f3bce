#include "wifi/extra.h"

ELEMENT(SetTXPower)
{
	struct wifi_extra *extra = wifi_extra(p);

	extra->magic = WIFI_EXTRA_MAGIC;
	extra->power = var(vars)->power;
	return OUTPUT(0);
}
