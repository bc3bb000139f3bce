#include "ip/tos.h"

MARKED_ELEMENT(SetIPECN, struct iphdr, ip)
{
	ip_set_tos(ip, TOS_ECN, var(vars)->value);
	return OUTPUT(0);
}
