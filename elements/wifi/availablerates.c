#include "ip/ip.h"
#include "wifi/rates.h"

struct SELF(station) {
	__u64 address;
	struct wifi_rates rates;
	__u64 stays;
};

static struct table *SELF(table)(void)
{
	return as_table(private(known)->table, sizeof(struct SELF(station)), cfg.capacity);
}

static const struct wifi_rates *SELF(usual)(void)
{
	return (const struct wifi_rates *)private(known)->usual;
}

/* The rates of a station, or else the default rates, which may be none. */
static __attribute__((unused)) void SELF(find)(const void *address, struct wifi_rates *rates)
{
	const __u64 key = wifi_station(address);
	const struct SELF(station) *station = key ? table_find(SELF(table)(), key) : NULL;

	*rates = station ? station->rates : *SELF(usual)();
	if (key)
		return;
	rates->count = 0;
	warn(100, "%s: lookup called with NULL eth!", SELF(name));
}

/* Make room for one more station. Skips stations that stay, which are few: only configured ones do. */
static void SELF(make_room)(void)
{
	struct table *table = SELF(table)();
	const __u32 count = table->count;

	for (__u32 i = 0; i < count; i++) {
		const struct SELF(station) *goes = table_turn(table, &private(known)->hand);

		if (!goes)
			return;
		if (!goes->stays) {
			table_remove(table, goes->address);
			return;
		}
	}
}

static struct SELF(station) *SELF(get)(__u64 key)
{
	struct SELF(station) *station = table_find(SELF(table)(), key);

	if (station)
		return station;
	SELF(make_room)();
	return table_get(SELF(table)(), key);
}

/* Enter the rates that a station announces. */
static __attribute__((unused)) void SELF(learn)(const void *address, const struct wifi_rates *rates)
{
	const struct wifi_rates *usual = SELF(usual)();
	const __u64 key = wifi_station(address);
	struct SELF(station) *station = key ? SELF(get)(key) : NULL;

	if (!station)
		return;
	station->rates.count = 0;
	for (__u32 i = 0; i < rates->count; i++) {
		if (!usual->count || memchr(usual->rate, rates->rate[i], usual->count))
			wifi_add_rate(&station->rates, rates->rate[i]);
	}
}

CONTROL()
{
	const struct SELF(station) *given = (const void *)argument;

	if (op == SELF(COPY)) {
		memcpy((void *)argument, SELF(table)()->entries, SELF(table)()->count * sizeof(*given));
	} else if (op == SELF(REMOVE)) {
		table_remove(SELF(table)(), given->address);
	} else {
		struct SELF(station) *station = SELF(get)(given->address);

		if (!station)
			return -12;
		*station = *given;
	}
	return 0;
}

CLEANUP()
{
	table_clear(SELF(table)());
}
