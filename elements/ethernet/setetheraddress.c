#include "ethernet/etherplace.h"

ELEMENT(SetEtherAddress)
{
	ether_to_anno(p, cfg.anno, var(vars)->addr);
	return OUTPUT(0);
}
