#include "nat/flow.h"

#if USERSPACE
#include "nat/pattern.h"

static bool SELF(choose)(struct nat_request *request)
{
	return false;
}

#include "nat/mapper.inc.h"
#endif
