/* Routing tables with a single table that drop packets without a route and, as in Click, are silent about them. */
#include "ip/ip.h"
#include "ip/forward.inc.h"

ELEMENT(FibTable)
{
	return SELF(forward)(p, NULL, DROP(NO_ROUTE));
}
