#include "wifi/extra.h"
#include "wifi/athdesc.h"

ELEMENT(AthdescDecap)
{
	const struct athdesc *desc = pkt_data(p, 0, sizeof(*desc));
	struct wifi_extra found = {.magic = WIFI_EXTRA_MAGIC};

	if (!desc)
		return OUTPUT(0);
	if (!athdesc_get(desc, ATH_LENGTH)) {
		found.rate[0] = athdesc_rate(athdesc_get(desc, ATH_CAME_RATE));
		found.rssi = athdesc_get(desc, ATH_CAME_SIGNAL);
		found.flags = athdesc_get(desc, ATH_CAME_WELL) ? 0 : WIFI_EXTRA_RX_ERR;
	} else {
		found.flags = WIFI_EXTRA_TX | (athdesc_get(desc, ATH_TOO_MANY_RETRIES) ? WIFI_EXTRA_TX_FAIL : 0);
		found.power = athdesc_get(desc, ATH_POWER);
		found.rssi = athdesc_get(desc, ATH_ANSWER_SIGNAL);
		found.rate[0] = athdesc_rate(athdesc_get(desc, ATH_RATE(0)));
		found.retries = athdesc_get(desc, ATH_RETRIES);
	}
	*wifi_extra(p) = found;
	pkt_pull(p, sizeof(*desc));
	return OUTPUT(0);
}
