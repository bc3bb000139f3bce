#include "wifi/extra.h"

ELEMENT(SetRTS)
{
	struct wifi_extra *extra = wifi_extra(p);

	extra->magic = WIFI_EXTRA_MAGIC;
	if (var(vars)->rts)
		extra->flags |= WIFI_EXTRA_RTS_CTS;
	else
		extra->flags &= ~WIFI_EXTRA_RTS_CTS;
	return OUTPUT(0);
}
