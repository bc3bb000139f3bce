/* Routing tables with a single table: a packet without a route is dropped. */
#include "ip/forward.inc.h"

ELEMENT(FibTable)
{
	return SELF(forward)(p, DROP(NO_ROUTE));
}
