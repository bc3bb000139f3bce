#include "chance/probability.h"

ELEMENT(RandomSample)
{
	const struct SELF(vars) *vars = var(vars);

	if (!vars->active || happens(vars->sampled))
		return OUTPUT(0);
	count(counters, drops, 1);
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(DISCARDED);
}
