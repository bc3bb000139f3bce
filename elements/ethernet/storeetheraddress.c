#include "ethernet/etherplace.h"

ELEMENT(StoreEtherAddress)
{
	__u8 *place;

	if (!USERSPACE && cfg.at > ETHER_PLACE_FAR)
		return PUNT;
	place = pkt_data(p, cfg.at, ETH_ALEN);
	if (!place)
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(MALFORMED);
	if (cfg.annotated)
		ether_from_anno(p, cfg.anno, place);
	else
		ether_copy(place, var(vars)->addr);
	return OUTPUT(0);
}
