#include "ip/tos.h"

MARKED_ELEMENT(MarkIPCE, struct iphdr, ip)
{
	if (!cfg.force && (ip->tos & TOS_ECN) == ECN_NOT_CAPABLE) {
		count(counters, drops, pkt_packets(p));
		return DROP(FILTERED);
	}
	if ((ip->tos & TOS_ECN) != ECN_CONGESTION)
		ip_set_tos(ip, TOS_ECN, ECN_CONGESTION);
	return OUTPUT(0);
}
