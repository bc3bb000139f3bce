/* A token bucket, the state `bucket` (_bucket.py), as Click's TokenBucket; included once for each instance.
 *
 * It is refilled once a millisecond. Full, it has 2^32 - 1 units, of which a token is `scale`.
 */
#include "rates/clock.h"

#define BUCKET_FULL 0xffffffffu
#define BUCKET_THRESHOLD 131072	/* bytes that have to be there for a packet: none is longer */

static void SELF(refill)(struct SELF(bucket) *bucket)
{
	__u64 tick = now() / NS_PER_MS, passed = tick - bucket->tick;

	bucket->tick = tick;
	if (!bucket->per_tick)
		return;
	if (passed >= BUCKET_FULL / bucket->per_tick || passed * bucket->per_tick >= BUCKET_FULL - bucket->units)
		bucket->units = BUCKET_FULL;
	else
		bucket->units += passed * bucket->per_tick;
}

static bool SELF(contains)(const struct SELF(bucket) *bucket, __u32 tokens)
{
	return (__u64)tokens * bucket->scale <= bucket->units;
}

static void SELF(remove)(struct SELF(bucket) *bucket, __u32 tokens)
{
	__u64 units = (__u64)tokens * bucket->scale;

	bucket->units = units < bucket->units ? bucket->units - units : 0;
}
