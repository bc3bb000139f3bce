#include "common/truncate.inc.h"

ELEMENT(Truncate)
{
	const struct SELF(vars) *vars = var(vars);

	return vars ? SELF(truncate)(p, vars->nbytes) : PUNT;
}
