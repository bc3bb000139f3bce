/* Elements that choose each station's rate by transmit reports. Included once for each instance. A station, struct SELF(row), begins
 * with `address` and `rates`.
 *
 * The including file defines the functions declared here: to start a station, to assign rates to a packet for an address, and to
 * process a report on one.
 */
#include "common/rows.inc.h"
#include "wifi/manager.inc.h"

#define WIFI_RETRIES_FIRST 4	/* at the first rate; the next is for the slower ones */
#define WIFI_RETRIES_NEXT 2

static void SELF(start)(struct SELF(row) *station);
static void SELF(assign)(struct wifi_extra *extra, const __u8 *to);
static void SELF(report)(const struct pkt *p, const struct wifi_extra *extra, const __u8 *to);

/* Packets to send arrive on input 0, reports on input 1. */
static void SELF(look_at)(struct pkt *p, int input)
{
	const struct SELF(vars) *vars = var(vars);
	const __u8 *to = vars->active ? pkt_data(p, vars->offset, WIFI_ADDRESS) : NULL;

	if (!to)
		return;
	if (input)
		SELF(report)(p, wifi_extra(p), to);
	else
		SELF(assign)(wifi_extra(p), to);
}

static int SELF(pass)(struct pkt *p, int input)
{
	SELF(look_at)(p, input);
	return input < SELF(noutputs) ? OUTPUT(input) : DROP(UNCONNECTED);
}

PULL()
{
	struct pkt *p = pull(output);

	if (p)
		SELF(look_at)(p, output);
	return p;
}

/* The station with an address, started if new; NULL if its rates are unknown. `leaves`, if not NULL, is called for an evicted
 * station.
 */
static struct SELF(row) *SELF(station_at)(const __u8 *to, void (*leaves)(void *station))
{
	struct SELF(row) *station = table_find(SELF(table)(), wifi_station(to));
	struct wifi_rates rates;

	if (station)
		return station;
	SELF(rates)(to, &rates);
	station = rates.count ? table_admit(SELF(table)(), wifi_station(to), &private(rows)->hand, leaves) : NULL;
	if (!station)
		return NULL;
	station->rates = rates;
	SELF(start)(station);
	return station;
}

/* Group-addressed packets are sent at the first rate of the broadcast address. */
static void SELF(assign_to_group)(struct wifi_extra *extra)
{
	struct wifi_rates rates;

	SELF(rates)(wifi_everybody, &rates);
	extra->rate[0] = rates.count ? rates.rate[0] : WIFI_RATE_1;
}

/* Assign the rate with this number, and the three slower ones. */
static __attribute__((unused)) void SELF(assign_from)(struct wifi_extra *extra, const struct wifi_rates *rates, __u32 number)
{
	for (__u32 i = 0; i < 4; i++) {
		extra->rate[i] = i <= number ? rates->rate[number - i] : 0;
		extra->max_tries[i] = i > number ? 0 : i ? WIFI_RETRIES_NEXT : WIFI_RETRIES_FIRST;
	}
}

/* The number of a rate; as in Click, 0 if it isn't in the list. */
static __attribute__((unused)) __u32 SELF(number_of)(const struct wifi_rates *rates, __u8 rate)
{
	const __u8 *found = memchr(rates->rate, rate, rates->count);

	return found ? found - rates->rate : 0;
}

/* Report a station's first rate (`to` is 0), or a change. */
static __attribute__((unused)) void SELF(say_rate)(const void *station, const char *what, __u8 from, __u8 to)
{
	struct line line;

	if (!var(vars)->debug || !SELF(begin)(&line))
		return;
	fprintf(line.to, "%s for ", what);
	line_ether(&line, station);
	if (to)
		fprintf(line.to, " from %u to %u", from, to);
	else
		fprintf(line.to, " is %u", from);
	line_end(&line, 2);
}
