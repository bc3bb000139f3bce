#include "bridge/table.h"
#include "bridge/switch.h"

ELEMENT(ListenEtherSwitch)
{
	const __u8 *header = pkt_data(p, 0, ETH_HLEN);
	struct pkt *copy;
	int port;

	if (!header)
		return DROP(MALFORMED);
	port = SELF(switch_packet)(p, header, input);
	if (port == SWITCH_FLOOD)
		return SELF(flood)(p, input);
	if (port == input)
		return OUTPUT(cfg.noutputs - 1);
	copy = pkt_clone(p);
	if (copy)
		emit(copy, cfg.noutputs - 1);
	return OUTPUT(port);
}
