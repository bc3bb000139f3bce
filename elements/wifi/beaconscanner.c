#include "wifi/manager.inc.h"

#define BODY (WIFI_BODY + 12)	/* the offset of a beacon's information elements */

#include "common/rows.inc.h"

static void SELF(describe)(struct SELF(row) *network, const struct wifi_frame *frame)
{
	const __u32 name = wifi_element(frame, BODY, WIFI_SSID);
	const __u32 length = wifi_element_length(frame, name, WIFI_LONGEST_NAME);

	network->heard_at = now();
	network->interval = wifi_word(frame, WIFI_BODY + 8);
	network->abilities = wifi_word(frame, WIFI_BODY + 10);
	network->rates.count = 0;
	wifi_read_rates(frame, wifi_element(frame, BODY, WIFI_RATES), WIFI_RATES_EACH, &network->rates);
	wifi_read_rates(frame, wifi_element(frame, BODY, WIFI_MORE_RATES), WIFI_RATES_EACH, &network->rates);
	if (!length)
		return;		/* a hidden name: a known one stays */
	memcpy(network->name, frame->bytes + name + 2, length);
	network->name_length = length;
}

ELEMENT(BeaconScanner)
{
	const struct wifi_info *info = SELF(info)();
	struct wifi_frame frame = wifi_frame_of(p);
	struct SELF(row) *network;
	struct wifi_rates plain;
	__u32 channel;

	if (frame.length < sizeof(frame.header) || (info && info->channel < 0))
		return OUTPUT(0);
	if ((frame.header.control & (WIFI_TYPE | WIFI_SUBTYPE)) != WIFI_BEACON
	    && (frame.header.control & (WIFI_TYPE | WIFI_SUBTYPE)) != WIFI_PROBE_RESPONSE)
		return OUTPUT(0);
	channel = wifi_element(&frame, BODY, WIFI_CHANNEL);
	if (info && info->channel > 0 && channel && wifi_byte(&frame, channel + 2) != info->channel)
		return OUTPUT(0);
	network = SELF(row_of)(wifi_station(frame.header.address[2]));
	if (!network)
		return OUTPUT(0);
	network->channel = channel ? wifi_byte(&frame, channel + 2) : -1;
	network->rssi = wifi_extra(p)->rssi;
	SELF(describe)(network, &frame);
	plain = wifi_plain_rates(&network->rates);
	SELF(learn)(frame.header.address[2], &plain);
	return OUTPUT(0);
}
