#include "ip/ip.h"

ELEMENT(StripIPHeader)
{
	int offset;

	if (!pkt_has_transport_header(p))
		return DROP_WITHOUT_HEADER(p);
	offset = pkt_transport_offset(p);
	if (offset >= 0 && pkt_pull(p, offset))
		return OUTPUT(0);
	if (!USERSPACE)
		return PUNT;
	warn(ALWAYS, "Packet::pull %u > length %u", offset, pkt_len(p));
	pkt_pull(p, pkt_len(p));
	return OUTPUT(0);
}
