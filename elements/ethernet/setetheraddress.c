#include "ethernet/etherplace.h"

ELEMENT(SetEtherAddress)
{
	const struct SELF(vars) *vars = var(vars);

	if (vars)
		ether_to_anno(p, cfg.anno, vars->addr);
	return OUTPUT(0);
}
