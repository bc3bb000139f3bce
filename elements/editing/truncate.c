#include "common/truncate.inc.h"

ELEMENT(Truncate)
{
	return SELF(truncate)(p, var(vars)->nbytes);
}
