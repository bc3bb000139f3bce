#include "nat/balancer.inc.h"
#include "nat/flowmemory.inc.h"

ELEMENT(FlowSwitch)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(servers) *server;
	__u64 hash;
	int number;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (ip->version != 4)
		return DROP(MALFORMED);
	hash = flow_hash(p, ip, var(balance)->key);
	number = SELF(flow_number)(hash);
	if (number < 0) {
		number = SELF(choose)(p, ip, hash);
		if (number < 0)
			return DROP(NO_ROUTE);
		SELF(flow_begin)(p, hash, number);
	}
	server = at(servers, number);
	if (server)
		SELF(track)(p, server);
	return OUTPUT(number);
}
