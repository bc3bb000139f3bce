#include "bridge/table.h"
#include "bridge/switch.inc.h"
#if !USERSPACE
#include "bridge/forward.inc.h"
#endif

ELEMENT(ListenEtherSwitch)
{
	const __u8 *header = pkt_data(p, 0, ETH_HLEN);
	int port;

	if (!header)
		return DROP(MALFORMED);
#if USERSPACE
	port = SELF(switch_packet)(p, header, input);
	if (port == SWITCH_FLOOD)
		return SELF(flood)(p, input);
	if (port == input)
		return OUTPUT(SELF(noutputs) - 1);
	emit_copy(p, SELF(noutputs) - 1);
	return OUTPUT(port);
#else
	/* The sets of copies(): first those for a flood, then those of one port and the last output. */
	port = copies_made() ? SELF(known_port)(header, input) : SWITCH_PUNT;
	if (port == SWITCH_PUNT)
		return PUNT;
	if (port == SWITCH_FLOOD)
		return COPIES(input);
	return port == input ? OUTPUT(SELF(noutputs) - 1) : COPIES(SELF(noutputs) - 1 + port);
#endif
}
