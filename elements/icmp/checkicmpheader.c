/* CheckICMPHeader: checks ICMP headers. */
#include "icmp/icmp.h"
#include "common/headerreject.inc.h"
#include "ip/sum.h"

#define TIMESTAMP_SIZE 20
/* The part of the original packet in an error: an IP header and 8 bytes (RFC 792). */
#define CAUSE_LEAST 28

static __always_inline bool SELF(length_right)(__u8 type, __u32 length)
{
	switch (type) {
	case ICMP_UNREACHABLE:
	case ICMP_SOURCE_QUENCH:
	case ICMP_REDIRECT:
	case ICMP_TIME_EXCEEDED:
	case ICMP_PARAMETER_PROBLEM:
		return length >= sizeof(struct icmp_header) + CAUSE_LEAST;
	case ICMP_TIMESTAMP_REQUEST:
	case ICMP_TIMESTAMP_ANSWER:
		return length == TIMESTAMP_SIZE;
	case ICMP_INFORMATION_REQUEST:
	case ICMP_INFORMATION_ANSWER:
		return length == sizeof(struct icmp_header);
	default:
		return true;
	}
}

ELEMENT(CheckICMPHeader)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct icmp_header *icmp;
	__u64 sum = 0;
	__u32 length;

	if (!ip)
		return SELF(reject)(p, SELF(NOT_ICMP), DROP(FILTERED));
	if (ip->protocol != PROTOCOL_ICMP)
		return SELF(reject)(p, SELF(NOT_ICMP), DROP(FILTERED));
	icmp = pkt_transport_header(p, sizeof(*icmp));
	if (!icmp)
		return SELF(reject)(p, SELF(LENGTH), DROP(MALFORMED));
	length = pkt_len(p) - (__u32)pkt_transport_offset(p);
	if (!SELF(length_right)(icmp->type, length))
		return SELF(reject)(p, SELF(LENGTH), DROP(MALFORMED));
	if (!USERSPACE && length > SUM_MOST)
		return PUNT;
	if (!sum_bytes(p, pkt_transport_offset(p), length, &sum) || !checksum_is_right(sum))
		return SELF(reject)(p, SELF(CHECKSUM), DROP(BAD_CHECKSUM));
	return OUTPUT(0);
}
