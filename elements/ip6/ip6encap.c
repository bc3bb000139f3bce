#include "ip6/encap.inc.h"

ELEMENT(IP6Encap)
{
	const struct SELF(vars) *vars = var(vars);
	struct ip6_header *ip;

	if (!pkt_push(p, sizeof(*ip)))
		return PUNT;
	ip = pkt_data(p, 0, sizeof(*ip));
	if (!ip)
		return DROP(NO_HEADROOM);
	SELF(write_ip6)(p, ip, vars, cfg.class_, cfg.proto, cfg.hlim);
	return OUTPUT(0);
}
