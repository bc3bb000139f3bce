#include "ip6/ip6.h"

ELEMENT(GetIP6Address)
{
	const void *address = pkt_data(p, cfg.offset, 16);

	if (address)
		pkt_set_dst_ip6(p, address);
	else
		__builtin_memset(p->anno + DST_IP6_ANNO, 0, 16);
	return OUTPUT(0);
}
