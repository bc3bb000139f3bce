#include "ip/flowhash.h"
#include "nat/flowmemory.inc.h"

ELEMENT(FlowCounter)
{
	const __u64 hash = flow_hash(p, var(secret)->key, true);

	if (!hash)
		return DROP_WITHOUT_HEADER(p);
	if (SELF(flow_number)(hash) < 0)
		SELF(flow_begin)(p, hash, 0);
	return OUTPUT(0);
}

#if USERSPACE
INIT()
{
	hash_key_keep(var(secret)->key);
	return 0;
}
#endif
