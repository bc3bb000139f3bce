#include "bridge/table.h"
#include "bridge/switch.inc.h"
#if !USERSPACE
#include "bridge/forward.inc.h"
#endif

ELEMENT(EtherSwitch)
{
	const __u8 *header = pkt_data(p, 0, ETH_HLEN);
	int port;

	if (!header)
		return DROP(MALFORMED);
#if USERSPACE
	port = SELF(switch_packet)(p, header, input);
	if (port == SWITCH_FLOOD)
		return SELF(flood)(p, input);
#else
	port = SELF(known_port)(header, input);
	if (port == SWITCH_PUNT)
		return PUNT;
	if (port == SWITCH_FLOOD)
		return COPIES(input);
#endif
	return port == input ? DROP(FILTERED) : OUTPUT(port);
}
