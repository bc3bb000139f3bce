#include "ethernet/etherplace.h"

ELEMENT(GetEtherAddress)
{
	const __u8 *address;

	if (!USERSPACE && cfg.at > ETHER_PLACE_FAR)
		return PUNT;
	address = pkt_data(p, cfg.at, ETH_ALEN);
	if (!address)
		return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(MALFORMED);
	ether_to_anno(p, cfg.anno, address);
	return OUTPUT(0);
}
