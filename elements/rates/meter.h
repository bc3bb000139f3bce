/* Outputs by rate, the state `meter` (_meter.py); included once for each instance. */
#include "rates/clock.h"
#include "rates/ewma.h"

#define METER_SHIFT 4	/* an epoch of a millisecond weighs 1/16 */

/* Count events; what was counted in epochs that are over goes into the average. */
static void SELF(record)(struct SELF(meter) *meter, __u32 events)
{
	__u64 epoch = now() / NS_PER_MS;

	if (epoch != meter->epoch) {
		meter->average = ewma_update(meter->average, meter->current, METER_SHIFT);
		meter->average = ewma_decay(meter->average, epoch - meter->epoch - 1, METER_SHIFT);
		meter->current = 0;
		meter->epoch = epoch;
	}
	meter->current += events;
}

/* The output for the present rate. */
static int SELF(level)(const struct SELF(meter) *meter)
{
	int port = 0;

	while (port < cfg.nlimits && meter->average >= cfg.limits[port])
		port++;
	return port;
}

/* Bring the average up to date, to be read. */
CONTROL()
{
	(void)op;
	(void)argument;
	SELF(record)(private(meter), 0);
	return 0;
}
