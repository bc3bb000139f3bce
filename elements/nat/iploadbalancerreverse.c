#include "ip/readdress.h"

ELEMENT(IPLoadBalancerReverse)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (ip->version != 4)
		return DROP(MALFORMED);
	ip_readdress(p, ip, offsetof(struct iphdr, saddr), cfg.vip);
	return OUTPUT(0);
}
