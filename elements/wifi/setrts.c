#include "wifi/extra.h"

ELEMENT(SetRTS)
{
	const struct SELF(vars) *vars = var(vars);
	struct wifi_extra *extra = wifi_extra(p);

	if (!vars)
		return OUTPUT(0);
	extra->magic = WIFI_EXTRA_MAGIC;
	if (vars->rts)
		extra->flags |= WIFI_EXTRA_RTS_CTS;
	else
		extra->flags &= ~WIFI_EXTRA_RTS_CTS;
	return OUTPUT(0);
}
