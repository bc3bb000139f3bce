/* RadixIPLookup: looks up the next hop in a routing table of any size. */
#include "ip/ip.h"
#include "ip/forward.inc.h"

ELEMENT(RadixIPLookup)
{
	return SELF(forward)(p, "IPRouteTable", DROP(NO_ROUTE));
}
