#include "ip/tos.h"

ELEMENT(SetIPDSCP)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(vars) *vars = var(vars);

	if (!ip)
		return DROP(MALFORMED);
	if (vars)
		ip_set_tos(ip, (__u8)~TOS_ECN, vars->dscp << 2);
	return OUTPUT(0);
}
