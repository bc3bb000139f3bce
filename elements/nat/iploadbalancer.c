#include "nat/balancer.inc.h"

ELEMENT(IPLoadBalancer)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(servers) *server;
	int number;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (ip->version != 4)
		return DROP(MALFORMED);
	number = SELF(choose)(p, ip, 0);
	server = number < 0 ? NULL : at(servers, number);
	return server ? SELF(send_to)(p, ip, server) : DROP(NO_ROUTE);
}
