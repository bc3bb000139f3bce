#include "wifi/extra.h"
#include "wifi/rates.h"

#include "common/rows.inc.h"

ELEMENT(RXStats)
{
	const struct ethhdr *eth = pkt_data(p, 0, offsetof(struct ethhdr, h_proto));
	const struct wifi_extra *extra = wifi_extra(p);
	struct SELF(row) *station = NULL;

	if (eth)
		station = SELF(row_of)(wifi_station(eth->h_source));
	if (!station)
		return OUTPUT(0);
	station->heard_at = now();
	station->packets++;
	station->signals += extra->rssi;
	station->noises += extra->silence;
	station->rate = extra->rate[0];
	station->signal = extra->rssi;
	station->noise = extra->silence;
	return OUTPUT(0);
}
