/* LinearIPLookup: looks up the next hop in a routing table of any size. */
#include "ip/ip.h"
#include "ip/forward.inc.h"

ELEMENT(LinearIPLookup)
{
	return SELF(forward)(p, "LinearIPLookup", DROP(NO_ROUTE));
}
