#include "ip6/class.h"

ELEMENT(SetIP6ECN)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(vars) *vars = var(vars);

	if (!ip)
		return DROP(MALFORMED);
	if (vars)
		ip6_set_class(ip, IP6_CLASS_ECN, vars->value);
	return OUTPUT(0);
}
