#include "ip6/class.h"

ELEMENT(SetIP6DSCP)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	ip6_set_class(ip, (__u8)~IP6_CLASS_ECN, var(vars)->dscp << 2);
	return OUTPUT(0);
}
