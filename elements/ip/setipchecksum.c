#include "ip/headersum.inc.h"

ELEMENT(SetIPChecksum)
{
	if (SELF(set_header_sum)(p))
		return OUTPUT(0);
	count(counters, drops, 1);
	warn(1, "SetIPChecksum: bad input packet");
	return DROP(MALFORMED);
}
