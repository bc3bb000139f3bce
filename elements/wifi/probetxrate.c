#include "common/clock.h"
#include "wifi/airtime.h"
#include "wifi/rates.h"

#define PACKET 1500		/* rates are compared for packets of this size */
#define PROBE_EVERY 10
#define HOPELESS 3		/* losses that rule a rate out if no packet arrived */

#include "wifi/ratecontrol.inc.h"

static struct SELF(results) *SELF(result)(__u32 number)
{
	return at(results, number - 1);
}

/* Take an unused result: from the list of freed ones, or after `made`, where all are new. */
static __u32 SELF(free_result)(void)
{
	__u32 number = private(rows)->free;

	if (number)
		private(rows)->free = SELF(result)(number)->next;
	else if (private(rows)->made < cfg.results)
		number = ++private(rows)->made;
	return number;
}

static void SELF(forget_results)(void *leaving)
{
	struct SELF(row) *station = leaving;

	if (!station->first)
		return;
	SELF(result)(station->last)->next = private(rows)->free;
	private(rows)->free = station->first;
	station->first = station->last = 0;
}

static void SELF(forget_oldest)(struct SELF(row) *station)
{
	const __u32 number = station->first;
	struct SELF(results) *result = SELF(result)(number);
	struct SELF(tally) *tally = &station->at_rate[result->rate];

	tally->packets--;
	tally->arrived -= result->arrived;
	tally->lost -= !result->arrived;
	tally->tries -= result->tries;
	tally->time -= result->time;
	station->first = result->next;
	if (!station->first)
		station->last = 0;
	result->next = private(rows)->free;
	private(rows)->free = number;
}

static void SELF(remember)(struct SELF(row) *station, __u32 rate, const struct wifi_extra *extra)
{
	const __u32 time = airtime(extra->rate[0], PACKET, extra->retries), tries = extra->retries + 1;
	const bool arrived = !(extra->flags & WIFI_EXTRA_TX_FAIL);
	struct SELF(tally) *tally = &station->at_rate[rate];
	__u32 number = SELF(free_result)();

	if (!number && station->first) {
		SELF(forget_oldest)(station);
		number = SELF(free_result)();
	}
	if (!number)
		return;
	*SELF(result)(number) = (struct SELF(results)){.at = now(), .time = time, .tries = tries, .rate = rate, .arrived = arrived};
	if (station->last)
		SELF(result)(station->last)->next = number;
	else
		station->first = number;
	station->last = number;
	tally->packets++;
	tally->arrived += arrived;
	tally->lost += !arrived;
	tally->tries += tries;
	tally->time += time;
}

/* The average time for each packet that arrived, in microseconds. */
static __u64 SELF(average)(const struct SELF(tally) *tally)
{
	return tally->time / tally->arrived;
}

/* The rate with the least average time; before the first arrival, the highest one without HOPELESS losses. */
static __u32 SELF(best)(const struct SELF(row) *station)
{
	__u64 least = 0;
	__u32 best = 0;
	bool found = false;

	for (__u32 i = 0; i < station->rates.count; i++) {
		const struct SELF(tally) *tally = &station->at_rate[i];

		if (!tally->arrived || (found && SELF(average)(tally) >= least))
			continue;
		best = i;
		least = SELF(average)(tally);
		found = true;
	}
	if (found)
		return best;
	for (best = station->rates.count - 1; best && station->at_rate[best].lost >= HOPELESS; best--)
		;
	return best;
}

/* A random rate that could be better than the best one; -1 if there is none. */
static int SELF(probe)(const struct SELF(row) *station, __u32 best)
{
	const struct SELF(tally) *tally = &station->at_rate[best];
	const __u64 time = tally->arrived ? SELF(average)(tally) : 0;
	__u8 possible[WIFI_RATES_KEPT];
	__u32 count = 0;

	for (__u32 i = 0; i < station->rates.count; i++) {
		tally = &station->at_rate[i];
		if (time >= tally->perfect_time && (tally->lost <= HOPELESS || tally->arrived))
			possible[count++] = i;
	}
	return count ? possible[random_u32() % count] : -1;
}

static void SELF(start)(struct SELF(row) *station)
{
	const struct wifi_rates *rates = &station->rates;

	for (__u32 i = 0; i < rates->count; i++)
		station->at_rate[i].perfect_time = rates->rate[i] ? airtime(rates->rate[i], PACKET, 0) : 99999;
}

static void SELF(assign)(struct wifi_extra *extra, const __u8 *to)
{
	const __s64 earliest = (__s64)now() - (__s64)cfg.window * NS_PER_MS;
	struct SELF(row) *station;
	__u32 best;
	int probe;

	if (*to & 1 || !wifi_station(to)) {
		SELF(assign_to_group)(extra);
		return;
	}
	station = SELF(station_at)(to, SELF(forget_results));
	if (!station)
		return;
	while (station->first && SELF(result)(station->first)->at < earliest)
		SELF(forget_oldest)(station);
	best = SELF(best)(station);
	probe = station->count++ % PROBE_EVERY ? -1 : SELF(probe)(station, best);
	memset(extra->rate, 0, sizeof(extra->rate));
	memset(extra->max_tries, 0, sizeof(extra->max_tries));
	extra->rate[0] = station->rates.rate[probe < 0 ? best : (__u32)probe];
	extra->max_tries[0] = probe < 0 ? WIFI_RETRIES_FIRST : WIFI_RETRIES_NEXT;
	extra->rate[1] = station->rates.rate[best];
	extra->max_tries[1] = WIFI_RETRIES_NEXT;
}

static void SELF(report)(const struct pkt *p, const struct wifi_extra *extra, const __u8 *to)
{
	const bool arrived = !(extra->flags & WIFI_EXTRA_TX_FAIL);
	struct SELF(row) *station;

	if (!memcmp(to, wifi_everybody, WIFI_ADDRESS) || !extra->rate[0] || (!arrived && pkt_len(p) < var(vars)->threshold))
		return;
	station = table_find(SELF(table)(), wifi_station(to));
	if (station)
		SELF(remember)(station, SELF(number_of)(&station->rates, extra->rate[0]), extra);
}

ELEMENT(ProbeTXRate)
{
	return SELF(pass)(p, input);
}
