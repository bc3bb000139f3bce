#include "ip/tos.h"

MARKED_ELEMENT(SetIPDSCP, struct iphdr, ip)
{
	ip_set_tos(ip, (__u8)~TOS_ECN, var(vars)->dscp << 2);
	return OUTPUT(0);
}
