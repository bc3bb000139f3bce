#include "sources/source.inc.h"
#include "common/bucket.h"

/* The next packet if one is due; otherwise, or when out of memory, arm TIMER. */
static struct pkt *SELF(next)(void)
{
	struct SELF(source) *source = private(source);
	struct SELF(bucket) *bucket = private(bucket);
	struct pkt *p = NULL;

	if (!source->active)
		return NULL;
	if (SELF(finished)(source)) {
		SELF(end)(source);
		return NULL;
	}
	if (bucket_take(BUCKET(bucket), 1, 0))
		p = SELF(make)(source, PKT_HEADROOM, true);
	if (p)
		bucket_take(BUCKET(bucket), 1, 1);
	else if (bucket->per_tick)
		timer_at(bucket_due(BUCKET(bucket), 1));
	return p;
}

#include "sources/single.inc.h"

INIT()
{
	SELF(go)();
	return 0;
}

CONTROL()
{
	private(source)->ending = false;
	SELF(go)();
	return 0;
}
