#include "ip6/class.h"

MARKED_ELEMENT(SetIP6ECN, struct ip6_header, ip)
{
	ip6_set_class(ip, IP6_CLASS_ECN, var(vars)->value);
	return OUTPUT(0);
}
