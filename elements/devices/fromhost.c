#include "common/link.h"

/* As in Click, packets from Linux are for this router whatever their Ethernet destination. */
ELEMENT(FromHost)
{
	count(counters, count, pkt_packets(p));
	pkt_set_type(p, PACKET_HOST);
	if (!cfg.type)
		return OUTPUT(0);
	if (!mark_ip(p, ether_ip_offset(p)))
		return OUTPUT(1);
	pkt_pull(p, pkt_network_offset(p));
	return OUTPUT(0);
}
