#include "bridge/table.h"
#include "bridge/switch.h"

/* What the kernel path can do: packets of a known source to a known destination. */
static __always_inline int SELF(forward_known)(const __u8 *header, const int input)
{
	const struct SELF(vars) *vars = var(vars);
	struct switch_entry from, to;
	__u64 time;
	int port;

	if (!vars || !vars->timeout || !SELF(find)(switch_address(header + ETH_ALEN), &from) || switch_port(from.word) != input)
		return PUNT;
	time = now_coarse() + vars->clock;
	port = SELF(port_of)(switch_address(header), time, SELF(lifetime)(vars), &to);
	if (port == SWITCH_FLOOD)
		return PUNT;
	SELF(refresh)(&from, time);
	return port == input ? DROP(FILTERED) : OUTPUT(port);
}

ELEMENT(EtherSwitch)
{
	const __u8 *header = pkt_data(p, 0, ETH_HLEN);

	if (!header)
		return DROP(MALFORMED);
	if (!USERSPACE)
		return SELF(forward_known)(header, input);
#if USERSPACE
	const int port = SELF(switch_packet)(p, header, input);

	if (port == SWITCH_FLOOD)
		return SELF(flood)(p, input);
	return port == input ? DROP(FILTERED) : OUTPUT(port);
#endif
}
