/* CheckIP6Header: checks IPv6 headers, marks them for other elements, cuts off padding. */
#include "ip6/ip6.h"
#include "common/headerreject.inc.h"

/* `room` bytes of the packet begin with `ip`. */
static __always_inline int SELF(mistake)(const struct ip6_header *ip, __u32 room)
{
	if (ip6_version(ip) != 6)
		return SELF(VERSION);
	if (ntohs(ip->length) > room - sizeof(*ip))
		return SELF(LENGTH);
	/* RFC 4291: neither is ever seen on a link (2.7, 2.5.3). */
	if (ip6_is_multicast(ip->source) || ip6_is_loopback(ip->source) || SELF(bad_address)(ip->source))
		return SELF(SOURCE);
	if (ip6_is_loopback(ip->destination))
		return SELF(DESTINATION);
	return SELF(NOTHING);
}

ELEMENT(CheckIP6Header)
{
	const struct ip6_header *ip = pkt_data(p, cfg.offset, sizeof(*ip));
	int mistake = ip ? SELF(mistake)(ip, pkt_len(p) - cfg.offset) : SELF(TINY);
	struct ip6_inner inner;

	if (mistake != SELF(NOTHING))
		return SELF(reject)(p, mistake, mistake < SELF(SOURCE) ? DROP(MALFORMED) : DROP(FILTERED));
	pkt_set_network_header(p, cfg.offset);
	pkt_set_dst_ip6(p, ip->destination);
	pkt_trim(p, cfg.offset + sizeof(*ip) + ntohs(ip->length));
	inner = ip6_walk(p, ip);
	pkt_set_transport_header(p, cfg.offset + inner.offset);
	return OUTPUT(0);
}
