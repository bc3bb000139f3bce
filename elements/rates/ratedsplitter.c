#include "rates/bucket.h"

ELEMENT(RatedSplitter)
{
	struct SELF(bucket) *bucket = private(bucket);

	SELF(refill)(bucket);
	if (SELF(contains)(bucket, 1)) {
		SELF(remove)(bucket, 1);
		return OUTPUT(0);
	}
	return output_is_connected(1) ? OUTPUT(1) : DROP(FULL);
}
