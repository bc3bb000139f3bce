/* SetIPChecksum: computes IP header checksums. */
#include "ip/sum.h"

static __always_inline bool SELF(set)(struct pkt *p)
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

ELEMENT(SetIPChecksum)
{
	if (SELF(set)(p))
		return OUTPUT(0);
	count(counters, drops, 1);
	warn(1, "SetIPChecksum: bad input packet");
	return DROP(MALFORMED);
}
