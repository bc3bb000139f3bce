#include "common/bucket.h"

ELEMENT(BandwidthRatedSplitter)
{
	struct SELF(bucket) *bucket = var(bucket);

	if (bucket_take(BUCKET(bucket), BUCKET_THRESHOLD, pkt_len(p)))
		return OUTPUT(0);
	return SELF(noutputs) > 1 ? OUTPUT(1) : DROP(FULL);
}
