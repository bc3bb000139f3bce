#include "ethernet/gratuitous.inc.h"

static void SELF(advertise)(void)
{
	SELF(send)(cfg.dsteth, cfg.dstip, cfg.srceth, cfg.srcip);
}
