#include "ip6/ip6.h"

/* TCP and UDP have their ports at the same places. */
static __always_inline void SELF(mirror_ports)(struct pkt *p, const struct ip6_inner *inner)
{
	struct udp_header *udp = ip6_inner_header(p, inner, inner->protocol == PROTOCOL_TCP ? PROTOCOL_TCP : PROTOCOL_UDP, sizeof(*udp));
	__be16 source;

	if (!udp)
		return;
	source = udp->source;
	udp->source = udp->destination;
	udp->destination = source;
}

ELEMENT(IP6Mirror)
{
	struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_inner inner;
	__u8 source[16];

	if (!ip)
		return DROP(MALFORMED);
	ip6_copy(source, ip->source);
	ip6_copy(ip->source, ip->destination);
	ip6_copy(ip->destination, source);
	inner = ip6_walk(p, ip);
	SELF(mirror_ports)(p, &inner);
	return OUTPUT(0);
}
