#include "ip/ipencap.inc.h"

ELEMENT(IPEncap)
{
	return SELF(encapsulate)(p);
}
