#include "common/clock.h"
#include "wifi/manager.inc.h"

static void SELF(describe)(struct wifi_draft *draft, __u8 subtype, const __u8 *to)
{
	const struct wifi_info *info = SELF(network)();
	struct wifi_rates rates;

	SELF(rates)(info->bssid, &rates);
	wifi_draft(draft, subtype, to, info->bssid, info->bssid);
	wifi_put_beacon(draft, info->interval);
	wifi_put_name(draft, info);
	wifi_put_first_rates(draft, &rates, 0);
	wifi_put_channel(draft, info->channel);
	wifi_put_more_rates(draft, &rates, 0);
}

ELEMENT(BeaconSource)
{
	const struct wifi_info *info = SELF(network)();
	struct wifi_frame frame = wifi_frame_of(p);
	struct wifi_draft draft;
	const int wrong = SELF(refuse_probe)(&frame, info->ssid, info->ssid_length);

	if (wrong)
		return wrong;
	SELF(describe)(&draft, WIFI_PROBE_RESPONSE, frame.header.address[1]);
	return SELF(answer)(p, &draft);
}

static void SELF(beacon_after_interval)(void)
{
	timer_after((__u64)SELF(network)()->interval * NS_PER_MS);
}

INIT()
{
	SELF(beacon_after_interval)();
	return 0;
}

TIMER()
{
	struct wifi_draft draft;

	SELF(describe)(&draft, WIFI_BEACON, wifi_everybody);
	SELF(send)(&draft);
	SELF(beacon_after_interval)();
}
