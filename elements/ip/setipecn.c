#include "ip/tos.h"

ELEMENT(SetIPECN)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(vars) *vars = var(vars);

	if (!ip)
		return DROP(MALFORMED);
	if (vars)
		ip_set_tos(ip, TOS_ECN, vars->value);
	return OUTPUT(0);
}
