#include "ip6/class.h"

ELEMENT(SetIP6ECN)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	ip6_set_class(ip, IP6_CLASS_ECN, var(vars)->value);
	return OUTPUT(0);
}
