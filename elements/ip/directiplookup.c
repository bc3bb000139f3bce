/* DirectIPLookup: looks up the next hop in a routing table of any size. */
#include "ip/ip.h"
#include "ip/fib.inc.h"
