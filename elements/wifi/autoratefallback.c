#include "wifi/rates.h"

#define MOST_STEPS (1 << 30)

#include "wifi/ratecontrol.inc.h"

/* Start at the highest rate. */
static void SELF(start)(struct SELF(row) *station)
{
	station->stepup = var(vars)->stepup;
	station->number = station->rates.count - 1;
	SELF(say_rate)(&station->address, "initial rate", station->rates.rate[station->number], 0);
}

static void SELF(assign)(struct wifi_extra *extra, const __u8 *to)
{
	const struct SELF(row) *station;

	extra->magic = WIFI_EXTRA_MAGIC;
	if (*to & 1) {
		SELF(assign_to_group)(extra);
		return;
	}
	station = SELF(station_at)(to, NULL);
	if (station)
		SELF(assign_from)(extra, &station->rates, station->number);
}

static void SELF(step_down)(struct SELF(row) *station, __u8 retries)
{
	__u32 down = retries / 2;
	__u32 next;

	down -= down > 0;
	next = station->number > down ? station->number - down : 0;
	SELF(say_rate)(&station->address, "stepping down", station->rates.rate[station->number], station->rates.rate[next]);
	if (station->went_up && cfg.adaptive_stepup) {
		station->stepup = station->stepup < MOST_STEPS ? station->stepup * 2 : station->stepup;
		station->went_up = false;
	} else {
		station->stepup = var(vars)->stepup;
	}
	station->successes = 0;
	station->number = next;
}

static void SELF(step_up)(struct SELF(row) *station)
{
	const __u8 *now_and_next = station->rates.rate + station->number;

	SELF(say_rate)(&station->address, "steping up", now_and_next[0], now_and_next[1]);
	station->number++;
	station->successes = 0;
	station->went_up = true;
}

static void SELF(report)(const struct pkt *p, const struct wifi_extra *extra, const __u8 *to)
{
	const bool failed = extra->flags & WIFI_EXTRA_TX_FAIL;
	struct SELF(row) *station;

	if (*to & 1 || !extra->rate[0] || (!failed && pkt_len(p) < var(vars)->threshold))
		return;
	station = table_find(SELF(table)(), wifi_station(to));
	if (!station || station->rates.rate[station->number] != extra->rate[0])
		return;
	if (failed || extra->flags & WIFI_EXTRA_TX_OTHER) {
		SELF(step_down)(station, extra->retries);
		return;
	}
	if (station->went_up)
		station->stepup = var(vars)->stepup;
	station->went_up = false;
	station->successes = extra->retries ? 0 : station->successes + 1;
	if (station->successes > station->stepup && station->number + 1 < station->rates.count)
		SELF(step_up)(station);
}

ELEMENT(AutoRateFallback)
{
	return SELF(pass)(p, input);
}
