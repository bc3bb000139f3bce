#include "ip/ip.h"

/* In a checksum's sum, what a decremented TTL adds: ~word + (word - 1), the TTL being the low byte as read from the packet. */
#define TTL_DECREMENTED 0xfffe

ELEMENT(DecIPTTL)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(vars) *vars = var(vars);

	if (!ip || !vars)
		return DROP(MALFORMED);
	if (!vars->active || (!cfg.multicast && ip_is_multicast(ip->daddr)))
		return OUTPUT(0);
	if (ip->ttl <= 1) {
		count(counters, expired, 1);
		return cfg.noutputs == 2 ? OUTPUT(1) : DROP(EXPIRED);
	}
	ip->ttl--;
	ip->check = ~checksum_fold((__u64)(__u16)~ip->check + TTL_DECREMENTED);
	return OUTPUT(0);
}
