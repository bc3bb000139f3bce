#include "ip/ipencap.inc.h"

ELEMENT(IPsecEncap)
{
	int result = SELF(encapsulate)(p);

	if (result == OUTPUT(0) && !var(vars)->src)
		pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, 1);
	return result;
}
