#include "nat/flow.h"

#if USERSPACE
#include "nat/pattern.h"

static bool SELF(choose)(struct nat_request *request)
{
	struct SELF(vars) *vars = var(vars);

	for (__u32 i = 0; i < cfg.patterns; i++) {
		struct nat_spec *spec = (struct nat_spec *)at(specs, i);

		if (spec->active && nat_has_bound(request, spec))
			return nat_apply_spec(request, spec);
	}
	for (__u32 tries = 0; tries < cfg.patterns; tries++) {
		struct nat_spec *spec = (struct nat_spec *)at(specs, vars->next);

		vars->next = vars->next + 1 < cfg.patterns ? vars->next + 1 : 0;
		if (spec->active && nat_apply_spec(request, spec))
			return true;
	}
	return false;
}

#include "nat/mapper.inc.h"
#endif
