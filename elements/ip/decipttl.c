#include "ip/ttl.h"

ELEMENT(DecIPTTL)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(vars) *vars = var(vars);

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (!setting(vars, active) || (!cfg.multicast && ip_is_multicast(ip->daddr)))
		return OUTPUT(0);
	if (ip_decrement_ttl(ip))
		return OUTPUT(0);
	count(counters, expired, pkt_packets(p));
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(EXPIRED);
}
