#include "wifi/extra.h"
#include "wifi/radiotap.h"

#define FIELDS (1 << RADIOTAP_RATE | 1 << RADIOTAP_DBM_POWER | 1 << RADIOTAP_TX_FLAGS | 1 << RADIOTAP_RETRIES)
#define USUAL_RETRIES 12

struct SELF(header) {
	struct radiotap_header start;
	__u8 rate, power;
	__u16 tx_flags;
	__u8 retries, end;
};

ELEMENT(RadiotapEncap)
{
	const struct wifi_extra *extra = wifi_extra(p);
	struct SELF(header) *header, filled = {
		.start = { .length = 14, .present = FIELDS },
		.rate = extra->rate[0],
		.power = extra->power,
		.tx_flags = extra->flags & WIFI_EXTRA_TX_NOACK ? RADIOTAP_TX_NOACK : 0,
		.retries = extra->max_tries[0] ? extra->max_tries[0] - 1 : USUAL_RETRIES,
	};

	header = pkt_prepend(p, 14);
	if (!header)
		return PUNT;
	__builtin_memcpy(header, &filled, 14);
	return OUTPUT(0);
}
