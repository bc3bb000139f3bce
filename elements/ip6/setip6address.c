#include "ip6/ip6.h"
#include "ip6/address.h"

ELEMENT(SetIP6Address)
{
	const struct SELF(vars) *vars = var(vars);

	pkt_set_dst_ip6(p, ip6_var(vars, addr));
	return OUTPUT(0);
}
