#include "common/clock.h"
#include "wifi/rates.h"

#define ENOUGH 10		/* judge a rate by more packets than this */
#define CREDITS_FOR_A_STEP 10
#define RETRIES_OF_A_FAILURE 4
#define PERCENT_OF_RETRIES 10

/* The rates to start at, if the station supports them. */
#define FIRST_RATE 48
#define FIRST_RATE_OF_11B 22

#include "wifi/ratecontrol.inc.h"

static void SELF(start)(struct SELF(row) *station)
{
	station->number = SELF(number_of)(&station->rates, FIRST_RATE);
	if (!station->number)
		station->number = SELF(number_of)(&station->rates, FIRST_RATE_OF_11B);
	SELF(say_rate)(&station->address, "initial rate", station->rates.rate[station->number], 0);
}

static void SELF(assign)(struct wifi_extra *extra, const __u8 *to)
{
	const struct SELF(row) *station;

	if (*to & 1) {
		SELF(assign_to_group)(extra);
		return;
	}
	station = SELF(station_at)(to, NULL);
	if (!station)
		return;
	extra->magic = WIFI_EXTRA_MAGIC;
	SELF(assign_from)(extra, &station->rates, station->number);
}

static void SELF(report)(const struct pkt *p, const struct wifi_extra *extra, const __u8 *to)
{
	const bool arrived = !(extra->flags & WIFI_EXTRA_TX_FAIL);
	struct SELF(row) *station;

	if (*to & 1 || !extra->rate[0] || (arrived && pkt_len(p) < var(vars)->threshold))
		return;
	station = table_find(SELF(table)(), wifi_station(to));
	if (!station || station->rates.rate[station->number] != extra->rate[0])
		return;
	if (arrived && !(var(vars)->alt_rate && extra->flags & WIFI_EXTRA_TX_OTHER)) {
		station->successes++;
		station->retries += extra->retries;
	} else {
		station->failures++;
		station->retries += RETRIES_OF_A_FAILURE;
	}
}

static void SELF(step)(struct SELF(row) *station, int by)
{
	const __u8 *rate = station->rates.rate + station->number;
	const __s64 next = (__s64)station->number + by;

	station->credits = 0;
	if (next < 0 || next >= station->rates.count)
		return;
	SELF(say_rate)(&station->address, by < 0 ? "stepping down" : "steping up", rate[0], rate[by]);
	station->number = next;
}

/* At the end of a period: step down if no packet arrived, or if there was more than one retry a packet; earn a credit towards a
 * step up if no packet was lost and few were retried.
 */
static void SELF(judge)(struct SELF(row) *station)
{
	const bool enough = station->successes + station->failures > ENOUGH;

	if ((station->failures && !station->successes) || (enough && station->successes < station->retries)) {
		SELF(step)(station, -1);
	} else if (enough && !station->failures && station->retries < station->successes * PERCENT_OF_RETRIES / 100) {
		if (++station->credits >= CREDITS_FOR_A_STEP)
			SELF(step)(station, 1);
	} else if (enough && station->credits) {
		station->credits--;
	}
	station->successes = station->failures = station->retries = 0;
}

static void SELF(wait)(void)
{
	timer_after((__u64)cfg.period * NS_PER_MS);
}

INIT()
{
	SELF(wait)();
	return 0;
}

TIMER()
{
	const struct table *table = SELF(table)();

	for (__u32 i = 0; i < table->count; i++)
		SELF(judge)(table_entry(table, i));
	SELF(wait)();
}

ELEMENT(MadwifiRate)
{
	return SELF(pass)(p, input);
}
