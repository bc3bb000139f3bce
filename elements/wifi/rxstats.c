/* RXStats: counts packets of stations, and how strong their signals are. */
#include "wifi/extra.h"
#include "wifi/rates.h"

struct SELF(station) {
	__u64 address;
	__s64 heard_at;
	__u64 packets, signals, noises;
	__u8 rate, signal, noise;
};

static struct table *SELF(table)(void)
{
	return as_table(private(stations)->table, sizeof(struct SELF(station)), cfg.capacity);
}

ELEMENT(RXStats)
{
	const struct ethhdr *eth = pkt_data(p, 0, offsetof(struct ethhdr, h_proto));
	const struct wifi_extra *extra = wifi_extra(p);
	struct SELF(station) *station = NULL;

	if (eth)
		station = wifi_entry(SELF(table)(), wifi_station(eth->h_source), &private(stations)->hand);
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

CONTROL()
{
	if (op == SELF(CLEAR))
		table_clear(SELF(table)());
	else
		memcpy((void *)argument, SELF(table)()->entries, SELF(table)()->count * sizeof(struct SELF(station)));
	return 0;
}

CLEANUP()
{
	table_clear(SELF(table)());
}
