#include "ip6/ip6.h"

/* TCP and UDP have their ports at the same places. */
static __always_inline struct udp_header *SELF(ports)(struct pkt *p, const struct ip6_inner *inner)
{
	return ip6_inner_header(p, inner, inner->protocol == PROTOCOL_TCP ? PROTOCOL_TCP : PROTOCOL_UDP, sizeof(struct udp_header));
}

static __always_inline void SELF(mirror_ports)(struct udp_header *udp)
{
	__be16 source = udp->source;

	udp->source = udp->destination;
	udp->destination = source;
}

MARKED_ELEMENT(IP6Mirror, struct ip6_header, ip)
{
	struct udp_header *udp;
	struct ip6_inner inner;
	__u8 source[16];

	inner = ip6_walk(p, ip);
	udp = SELF(ports)(p, &inner);
	if (pkt_is_unseen(p))
		return OUTPUT(0);
	ip6_copy(source, ip->source);
	ip6_copy(ip->source, ip->destination);
	ip6_copy(ip->destination, source);
	if (udp)
		SELF(mirror_ports)(udp);
	return OUTPUT(0);
}
