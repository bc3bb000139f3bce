/* The checksum of an IP header; included once for each instance. */
#include "ip/sum.h"

/* Set it in the header that is marked or, without a mark, begins with the packet. False if the packet doesn't have all of the header. */
static __always_inline bool SELF(set_header_sum)(struct pkt *p)
{
	int offset = pkt_has_network_header(p) ? pkt_network_offset(p) : 0;
	struct iphdr *ip = pkt_data(p, offset, sizeof(*ip));
	__u64 sum = 0;

	if (!ip)
		return false;
	if (ip_header_length(ip) < sizeof(*ip))
		return false;
	if (!sum_ip_header(p, offset, ip, ip_header_length(ip), &sum))
		return false;
	/* Adding the old checksum's complement removes it from the sum. */
	ip->check = ~checksum_fold(sum + (__u16)~ip->check);
	return true;
}
