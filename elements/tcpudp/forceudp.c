#include "tcpudp/segment.h"
#include "ip/transport.h"

ELEMENT(ForceUDP)
{
	struct segment segment;
	struct udp_header *udp = NULL;
	__u32 there;
	__u64 sum;
	__u16 check;

	if (segment_find(p, &segment) && segment.length >= sizeof(*udp))
		udp = pkt_data(p, segment.offset, sizeof(*udp));
	if (!udp) {
		warn(ALWAYS, "ForceUDP: bad lengths");
		return DROP(MALFORMED);
	}
	there = segment.length < segment.room ? segment.length : segment.room;
	if (checksum_is_hard(segment.ip, there))
		return PUNT;
	udp->destination = htons(cfg.port >= 0 ? cfg.port : random_u32() & 1023);
	udp->length = htons(segment.length);
	udp->checksum = 0;
	sum = pseudo_sum(p, segment.ip, segment.length);
	if (!sum_bytes(p, segment.offset, there, &sum))
		return DROP(MALFORMED);
	check = ~checksum_fold(sum);
	udp->checksum = check ? check : 0xffff;
	return OUTPUT(0);
}
