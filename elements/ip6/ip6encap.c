#include "ip6/encap.inc.h"

ELEMENT(IP6Encap)
{
	const struct SELF(vars) *vars = var(vars);
	struct ip6_header *ip = pkt_prepend(p, sizeof(*ip));

	if (!ip)
		return PUNT;
	SELF(write_ip6)(p, ip, vars, cfg.class_, cfg.proto, cfg.hlim);
	return OUTPUT(0);
}
