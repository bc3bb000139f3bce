#include "ip/ip.h"
#include "ip/forward.inc.h"

ELEMENT(LinuxIPLookup)
{
	return SELF(forward)(p, "LinuxIPLookup", SELF(noutputs) > cfg.devices ? OUTPUT(cfg.devices) : DROP(NO_ROUTE));
}
