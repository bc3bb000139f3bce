/* A task that pulls at a rate: the states `bucket` and `unqueue` (_ratedunqueue.py); included once for each instance.
 */
#include "rates/bucket.h"

/* Have the TIMER run when there are so many tokens. */
static void SELF(wait)(const struct SELF(bucket) *bucket, __u32 tokens)
{
	__u64 missing = (__u64)tokens * bucket->scale - bucket->units;

	if (bucket->per_tick)
		timer_at((bucket->tick + (missing + bucket->per_tick - 1) / bucket->per_tick) * NS_PER_MS);
}

/* One packet, if there are `tokens`; `price` is what it costs. */
static bool SELF(run)(__u32 tokens, __u32 (*price)(const struct pkt *p))
{
	struct SELF(unqueue) *unqueue = private(unqueue);
	struct SELF(bucket) *bucket = private(bucket);
	struct pkt *p;

	unqueue->runs++;
	if (!unqueue->active)
		return false;
	SELF(refill)(bucket);
	if (!SELF(contains)(bucket, tokens)) {
		SELF(wait)(bucket, tokens);
		unqueue->empty_runs++;
		return false;
	}
	p = pull(0);
	if (!p) {
		unqueue->failed_pulls++;
		return false;	/* woken when there are packets again */
	}
	SELF(remove)(bucket, price(p));
	unqueue->pushes++;
	emit(p, 0);
	task_schedule();
	return true;
}

TIMER()
{
	task_schedule();
}

INIT()
{
	task_schedule();
	return 0;
}

CONTROL()
{
	(void)op;
	(void)argument;
	task_schedule();
	return 0;
}
