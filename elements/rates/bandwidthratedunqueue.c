/* BandwidthRatedUnqueue: pull-to-push converter with a rate of bytes. */
#include "rates/ratedunqueue.inc.h"

TASK()
{
	return SELF(run)(BUCKET_THRESHOLD, pkt_len);
}
