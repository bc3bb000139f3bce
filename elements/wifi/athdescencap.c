#include "wifi/extra.h"
#include "wifi/athdesc.h"

ELEMENT(AthdescEncap)
{
	const struct wifi_extra *extra = wifi_extra(p);
	struct athdesc desc = {0};

	athdesc_set(&desc, ATH_POWER, extra->power);
	for (int i = 0; i < 4; i++) {
		athdesc_set(&desc, ATH_RATE(i), athdesc_code(extra->rate[i]));
		athdesc_set(&desc, ATH_TRIES(i), extra->max_tries[i]);
	}
	if (!pkt_push(p, sizeof(desc)))
		return DROP(NO_HEADROOM);
	__builtin_memcpy(pkt_data(p, 0, sizeof(desc)), &desc, sizeof(desc));
	return OUTPUT(0);
}
