#include "ip6/class.h"

MARKED_ELEMENT(SetIP6DSCP, struct ip6_header, ip)
{
	ip6_set_class(ip, (__u8)~IP6_CLASS_ECN, var(vars)->dscp << 2);
	return OUTPUT(0);
}
