#include "icmp/icmp.h"
#include "tcpudp/segment.h"

ELEMENT(ForceICMP)
{
	struct segment segment;
	struct icmp_header *icmp = NULL;
	__u64 sum = 0;

	if (segment_find(p, &segment) && segment.length >= sizeof(*icmp) && segment.length <= segment.room)
		icmp = pkt_data(p, segment.offset, sizeof(*icmp));
	if (!icmp) {
		warn(ALWAYS, "ForceICMP: bad lengths");
		return DROP(MALFORMED);
	}
	if (segment.length > SUM_MOST)
		return PUNT;
	icmp->type = cfg.type;
	icmp->code = cfg.code;
	icmp->checksum = 0;
	if (!sum_bytes(p, segment.offset, segment.length, &sum))
		return DROP(MALFORMED);
	icmp->checksum = ~checksum_fold(sum);
	return OUTPUT(0);
}
