#include "ip/sum.h"
#include "bridge/table.h"
#include "bridge/switch.inc.h"
#include "bridge/snooping.inc.h"
#if !USERSPACE
#include "bridge/forward.inc.h"
#endif

#if USERSPACE
/* Send to these ports, the last one first. Returns the result for the packet itself. */
static int SELF(send_to)(struct pkt *p, __u32 ports)
{
	const int first = ports ? __builtin_ctz(ports) : 0;

	if (!ports)
		return DROP(FILTERED);
	for (int port = SELF(noutputs) - 1; port > first; port--) {
		if (ports >> port & 1)
			emit_copy(p, port);
	}
	return OUTPUT(first);
}
#else
/* With few ports copies() lists every subset of them; otherwise only the set of all but the input. */
static __always_inline int SELF(send_to)(__u32 ports, const int input)
{
	if (!ports)
		return DROP(FILTERED);
	if (cfg.subsets)
		return COPIES((int)ports - 1);
	if (ports != (((1u << SELF(noutputs)) - 1) & ~(1u << input)))
		return PUNT;
	return COPIES(input);
}
#endif

ELEMENT(SnoopingEtherSwitch)
{
	const __u8 *header = pkt_data(p, 0, ETH_HLEN);
	const struct SELF(vars) *vars = var(vars);
	const struct ip6_header *ip;
	__u8 message = 0;
	__u32 ports;
	int port, at;

	if (!header)
		return DROP(MALFORMED);
	ip = SELF(ip6_of)(p, header);
	at = ip ? mld_find(p, ip, &message) : 0;
#if USERSPACE
	port = SELF(switch_packet)(p, header, input);
	if (port != SWITCH_FLOOD)
		return port == input ? DROP(FILTERED) : OUTPUT(port);
	if (!ip)
		return SELF(flood)(p, input);
	if (at)
		SELF(take_message)(p, ip, at, message, input);
	ports = SELF(ports_for)(vars, ip, message, input);
	return SELF(send_to)(p, ports);
#else
	if (at)
		return PUNT;
	port = SELF(known_port)(header, input);
	if (port == SWITCH_PUNT)
		return PUNT;
	if (port != SWITCH_FLOOD)
		return port == input ? DROP(FILTERED) : OUTPUT(port);
	ports = ((1u << SELF(noutputs)) - 1) & ~(1u << input);
	if (ip)
		ports = SELF(ports_for)(vars, ip, 0, input);
	return SELF(send_to)(ports, input);
#endif
}

#if USERSPACE
CONTROL()
{
	SELF(take)(*(const struct SELF(groups) **)argument);
	return 0;
}
#endif
#undef SNOOP_TICK
#undef SWITCH_STARTS
