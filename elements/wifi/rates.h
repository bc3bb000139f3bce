/* A station's supported rates, in units of 500 kbit/s (IEEE 802.11, 9.4.2.3 and 9.4.2.13). */
#pragma once

#include <string.h>
#include "common/table.h"
#include "wifi/frame.h"

/* Eight from one information element, the others from another. */
#define WIFI_RATES_KEPT (WIFI_RATES_EACH + WIFI_MOST_RATES)

struct wifi_rates {
	__u8 count;
	__u8 rate[WIFI_RATES_KEPT];
};

_Static_assert(sizeof(struct wifi_rates) == 24, "_rates.py");

/* A station's address as a table's key. */
static inline __u64 wifi_station(const void *address)
{
	__u64 key = 0;

	memcpy(&key, address, WIFI_ADDRESS);
	return key;
}

static inline void wifi_add_rate(struct wifi_rates *rates, __u8 rate)
{
	if (rates->count < WIFI_RATES_KEPT)
		rates->rate[rates->count++] = rate;
}
