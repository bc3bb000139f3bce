ELEMENT(Bypass)
{
	return var(vars)->active && input == 0 && SELF(noutputs) > 1 ? OUTPUT(1) : OUTPUT(0);
}

#if USERSPACE

PULL()
{
	return pull(var(vars)->active && output == 0 && SELF(ninputs) > 1);
}

#include "common/wake.inc.h"

#endif
