#include "wifi/extra.h"
#include "wifi/prism.h"

/* Set an item's value. The status is always 0: Click doesn't mark items without a value. */
static void SELF(set)(struct prism_header *header, __u32 item, __u32 value)
{
	header->item[item].number = (item + 1) << 16 | PRISM_SNIFFED;
	header->item[item].length = sizeof(value);
	header->item[item].value = value;
}

ELEMENT(Prism2Encap)
{
	const struct wifi_extra *extra = wifi_extra(p);
	const __u32 length = pkt_len(p);
	struct prism_header header = {.code = PRISM_SNIFFED, .length = sizeof(header)};

	SELF(set)(&header, PRISM_HOST_TIME, 0);
	SELF(set)(&header, PRISM_MAC_TIME, 0);
	SELF(set)(&header, PRISM_CHANNEL, 0);
	SELF(set)(&header, PRISM_RSSI, 0);
	SELF(set)(&header, PRISM_SIGNAL, extra->rssi);
	SELF(set)(&header, PRISM_RATE, extra->rate[0]);
	SELF(set)(&header, PRISM_IS_SENT, 1);
	SELF(set)(&header, PRISM_LENGTH, length);
	if (!pkt_push(p, sizeof(header)))
		return DROP(NO_HEADROOM);
	__builtin_memcpy(pkt_data(p, 0, sizeof(header)), &header, sizeof(header));
	return OUTPUT(0);
}
