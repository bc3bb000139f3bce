#include "rates/bucket.h"

ELEMENT(BandwidthRatedSplitter)
{
	struct SELF(bucket) *bucket = private(bucket);

	SELF(refill)(bucket);
	if (SELF(contains)(bucket, BUCKET_THRESHOLD)) {
		SELF(remove)(bucket, pkt_len(p));
		return OUTPUT(0);
	}
	return output_is_connected(1) ? OUTPUT(1) : DROP(FULL);
}
