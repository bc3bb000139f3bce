/* The checksum of an IP header; included once for each instance. */
#include "ip/sum.h"

/* Set the checksum of the marked header or, if there is none, of the header at the packet's beginning. False if it is incomplete. */
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
