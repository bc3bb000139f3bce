#include "ip6/class.h"

ELEMENT(SetIP6DSCP)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(vars) *vars = var(vars);

	if (!ip)
		return DROP(MALFORMED);
	if (vars)
		ip6_set_class(ip, (__u8)~IP6_CLASS_ECN, vars->dscp << 2);
	return OUTPUT(0);
}
