#include "ip/ipencap.h"

ELEMENT(IPEncap)
{
	return SELF(encapsulate)(p);
}
