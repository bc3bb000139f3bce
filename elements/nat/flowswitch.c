#include "nat/flowbalancer.inc.h"

ELEMENT(FlowSwitch)
{
	const __u64 hash = flow_hash(p, var(balance)->key, true);
	struct SELF(servers) *server;
	int number;

	if (!hash)
		return DROP_WITHOUT_HEADER(p);
	number = SELF(flow_number)(hash);
	if (number < 0)
		number = SELF(begin)(p, hash);
	if (number < 0)
		return DROP(NO_ROUTE);
	server = at(servers, number);
	if (server)
		SELF(track)(p, server);
	return OUTPUT(number);
}
