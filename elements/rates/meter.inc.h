/* Measure a rate. The state is `meter` (_meter.py), shared by all CPUs and threads. Included once for each instance.
 *
 * `counted` is one word: the epoch (a millisecond) in the high bits, its count in the low bits. The first to count in a new epoch
 * adds the last epoch's count to `average`; until then others see the old average.
 */
#include "common/clock.h"
#include "common/ewma.h"

#define METER_SHIFT 4	/* an epoch weighs 1/16 */
#define METER_BITS 28	/* more than any device receives in a millisecond: 268 MB */
#define METER_EPOCHS (~0ull >> METER_BITS)
/* Epochs by which a CPU's clock may appear to lag behind another's. */
#define METER_APART 8

/* Count events, and return the average over complete epochs. */
static __always_inline __u64 SELF(record)(struct SELF(meter) *meter, __u32 events)
{
	__u64 before = read_once(meter->counted), last = before >> METER_BITS, average = read_once(meter->average);
	__u64 epoch = now() / NS_PER_MS & METER_EPOCHS;

	if (((last - epoch) & METER_EPOCHS) < METER_APART ||
	    !__sync_bool_compare_and_swap(&meter->counted, before, epoch << METER_BITS | events)) {
		__sync_fetch_and_add(&meter->counted, events);
		return average;
	}
	average = ewma_update(average, before & ((1u << METER_BITS) - 1), METER_SHIFT);
	average = ewma_decay(average, ((epoch - last) & METER_EPOCHS) - 1, METER_SHIFT);
	write_once(meter->average, average);
	return average;
}
