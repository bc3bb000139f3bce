#include "ip6/ip6.h"

ELEMENT(MarkIP6Header)
{
	const struct ip6_header *ip;
	int transport = sizeof(*ip);

	if (!USERSPACE && cfg.offset < 0)
		return PUNT;
	pkt_set_network_header(p, cfg.offset);
	ip = pkt_network_header(p, sizeof(*ip));
	if (ip) {
		struct ip6_inner inner = ip6_walk(p, ip);

		transport = inner.offset;
	}
	pkt_set_transport_header(p, cfg.offset + transport);
	return OUTPUT(0);
}
