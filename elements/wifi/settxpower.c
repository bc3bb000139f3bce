#include "wifi/extra.h"

ELEMENT(SetTXPower)
{
	const struct SELF(vars) *vars = var(vars);
	struct wifi_extra *extra = wifi_extra(p);

	if (!vars)
		return OUTPUT(0);
	extra->magic = WIFI_EXTRA_MAGIC;
	extra->power = vars->power;
	return OUTPUT(0);
}
