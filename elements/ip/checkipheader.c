#include "ip/headercheck.inc.h"
#include "common/headerreject.inc.h"

ELEMENT(CheckIPHeader)
{
	struct iphdr *ip;
	int mistake = SELF(examine)(p, &ip);

	if (mistake != SELF(NOTHING))
		return SELF(reject)(p, mistake, SELF(drop)(mistake));
	SELF(accept)(p, ip);
	return OUTPUT(0);
}
