#include "nat/balancer.inc.h"
#include "nat/sending.inc.h"

ELEMENT(IPLoadBalancer)
{
	void *header = SELF(header)(p);

	return header ? SELF(send_to)(p, header, SELF(choose)(p, 0)) : DROP_WITHOUT_HEADER(p);
}

#if USERSPACE
INIT()
{
	hash_key_keep(var(balance)->key);
	return 0;
}
#endif
