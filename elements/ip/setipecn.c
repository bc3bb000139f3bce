#include "ip/tos.h"

ELEMENT(SetIPECN)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	ip_set_tos(ip, TOS_ECN, var(vars)->value);
	return OUTPUT(0);
}
