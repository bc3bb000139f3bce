#include "wifi/manager.inc.h"

ELEMENT(ProbeResponder)
{
	const struct SELF(vars) *own = var(vars);
	struct wifi_frame frame = wifi_frame_of(p);
	struct wifi_rates rates;
	struct wifi_draft draft;
	const int wrong = SELF(refuse_probe)(&frame, own->ssid, own->ssid_length);

	if (wrong)
		return wrong;
	SELF(rates)(own->bssid, &rates);
	wifi_draft(&draft, WIFI_PROBE_RESPONSE, frame.header.address[1], own->bssid, own->bssid);
	wifi_put_beacon(&draft, own->interval);
	wifi_put_element(&draft, WIFI_SSID, own->ssid, own->ssid_length);
	wifi_put_rates(&draft, &rates, WIFI_RATES, 0, WIFI_MOST_RATES, 0);
	wifi_put_channel(&draft, own->channel);
	return SELF(answer)(p, &draft);
}
