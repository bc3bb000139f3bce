#include "common/bucket.h"

ELEMENT(RatedSplitter)
{
	struct SELF(bucket) *bucket = var(bucket);

	if (bucket_take(BUCKET(bucket), 1, 1))
		return OUTPUT(0);
	return SELF(noutputs) > 1 ? OUTPUT(1) : DROP(FULL);
}
