#include "ip/tos.h"

ELEMENT(MarkIPCE)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (!cfg.force && (ip->tos & TOS_ECN) == ECN_NOT_CAPABLE) {
		count(counters, drops, pkt_packets(p));
		return DROP(FILTERED);
	}
	if ((ip->tos & TOS_ECN) != ECN_CONGESTION)
		ip_set_tos(ip, TOS_ECN, ECN_CONGESTION);
	return OUTPUT(0);
}
