/* A task that pulls at a rate: the states `bucket` and `unqueue` (_ratedunqueue.py); included once for each instance.
 */
#include "common/bucket.h"

/* One packet, if there are `tokens`; `price` is what it costs. */
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
		return false;	/* woken when there are packets again */
	}
	bucket_take(BUCKET(bucket), 0, price(p));
	unqueue->pushes++;
	emit(p, 0);
	task_schedule();
	return true;
}
