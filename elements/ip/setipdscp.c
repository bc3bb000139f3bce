#include "ip/tos.h"

ELEMENT(SetIPDSCP)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	ip_set_tos(ip, (__u8)~TOS_ECN, var(vars)->dscp << 2);
	return OUTPUT(0);
}
