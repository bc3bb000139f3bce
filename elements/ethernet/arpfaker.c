/* ARPFaker: announces an Ethernet address to a host, again and again. */
#include "ethernet/advertising.inc.h"

static void SELF(advertise)(void)
{
	SELF(send)(cfg.dsteth, cfg.dstip, cfg.srceth, cfg.srcip);
}
