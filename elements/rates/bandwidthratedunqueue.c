#include "rates/ratedunqueue.h"

TASK()
{
	return SELF(run)(BUCKET_THRESHOLD, pkt_len);
}
