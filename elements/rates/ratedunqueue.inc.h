/* A rate-limited task that pulls packets. The states are `bucket` and `unqueue` (_ratedunqueue.py). Included once for each
 * instance.
 */
#include "common/bucket.h"

/* Pull and push one packet if the bucket has `tokens`; `price` gives the packet's cost. */
static bool SELF(run)(__u32 tokens, __u32 (*price)(const struct pkt *p))
{
	struct SELF(unqueue) *unqueue = private(unqueue);
	struct SELF(bucket) *bucket = private(bucket);
	struct pkt *p;

	unqueue->runs++;
	if (!unqueue->active)
		return false;
	if (!bucket_take(BUCKET(bucket), tokens, 0)) {
		if (bucket->per_tick)
			timer_at(bucket_due(BUCKET(bucket), tokens));
		unqueue->empty_runs++;
		return false;
	}
	p = pull(0);
	if (!p) {
		unqueue->failed_pulls++;
		return false;	/* new packets wake the task */
	}
	bucket_take(BUCKET(bucket), 0, price(p));
	unqueue->pushes++;
	emit(p, 0);
	task_schedule();
	return true;
}
