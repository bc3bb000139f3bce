/* A mapper in the runtime. Included once for each instance, after its class has defined
 *
 *	bool SELF(choose)(struct nat_request *request)
 *
 * which fills the request, by nat_apply_spec() for one of its `specs`, or returns false.
 */

#include "nat/providers.h"

LASTING(struct nat_provider, provider);

INIT()
{
	*SELF(provider) = (struct nat_provider){.element = SELF(index), .spec = (struct nat_spec *)at(specs, 0),
					       .choose = SELF(choose)};
	nat_register(nat_providers, SELF(provider));
	return 0;
}

CLEANUP()
{
	nat_unregister(nat_providers, SELF(provider));
}
