#include "ip/ttl.h"

MARKED_ELEMENT(DecIPTTL, struct iphdr, ip)
{
	const struct SELF(vars) *vars = var(vars);

	if (!setting(vars, active) || (!cfg.multicast && ip_is_multicast(ip->daddr)))
		return OUTPUT(0);
	if (ip_decrement_ttl(ip))
		return OUTPUT(0);
	count(counters, expired, pkt_packets(p));
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(EXPIRED);
}
