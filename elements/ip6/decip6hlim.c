#include "ip6/ip6.h"

MARKED_ELEMENT(DecIP6HLIM, struct ip6_header, ip)
{
	if (ip->hops <= 1) {
		count(counters, expired, pkt_packets(p));
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(EXPIRED);
	}
	ip->hops--;
	return OUTPUT(0);
}
