#include "ip/ip.h"

ELEMENT(StaticIPLookup)
{
	__be32 destination = pkt_dst_ip(p);
	int hop = SELF(hop)(ntohl(destination));

	if (hop < 0)
		tell_no_route("LinearIPLookup", 5, destination);
	return SELF(take)(p, hop);
}
