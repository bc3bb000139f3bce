#include "ip/ip.h"

#if !USERSPACE
GIVES_UP()
{
	return cfg.offset < 0;
}
#endif

ELEMENT(MarkIPHeader)
{
	const __u8 *first;

	if (!USERSPACE && cfg.offset < 0)
		return PUNT;
	pkt_set_network_header(p, cfg.offset);
	first = pkt_network_header(p, 1);
	pkt_set_transport_header(p, cfg.offset + (first ? (*first & 15) * 4 : 0));
	return OUTPUT(0);
}
