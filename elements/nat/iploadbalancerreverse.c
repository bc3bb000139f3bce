#include "nat/family.inc.h"

ELEMENT(IPLoadBalancerReverse)
{
	void *header = SELF(header)(p);

	if (!header)
		return DROP_WITHOUT_HEADER(p);
	SELF(readdress)(p, header, true, cfg.address);
	return OUTPUT(0);
}
