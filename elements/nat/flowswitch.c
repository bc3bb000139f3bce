#include "nat/balancer.inc.h"
#include "nat/flowmemory.inc.h"

ELEMENT(FlowSwitch)
{
	const __u64 hash = flow_hash(p, var(balance)->key, true);
	struct SELF(servers) *server;
	int number;

	if (!hash)
		return DROP_WITHOUT_HEADER(p);
	number = SELF(flow_number)(hash);
	if (number < 0) {
		number = SELF(choose)(p, hash);
		if (number < 0)
			return DROP(NO_ROUTE);
		SELF(flow_begin)(p, hash, number);
	}
	server = at(servers, number);
	if (server)
		SELF(track)(p, server);
	return OUTPUT(number);
}
