/* TCPLookup: finds the connection of a segment. */
#include "tcp/toobig.h"

/* Not an IPv4-mapped one in an IPv6 packet either: such addresses mean those of IPv4 (struct tcp_key). */
static bool SELF(is_unicast)(const struct tcp_end *end, bool is_ip4)
{
	const __be32 last = word32(end->address + 12);

	if (tcp_is_mapped(end->address) != is_ip4)
		return false;
	return is_ip4 ? last && !ip_is_multicast(last) && last != 0xffffffff : !ip6_is_multicast(end->address) && !ip6_is_zero(end->address);
}

/* Pass on the segment of the packet that is stripped. */
static int SELF(find)(struct pkt *p, const struct tcp_key *key)
{
	const struct tcp_segment s = tcp_segment_of(p);
	struct tcp *t = tcp_find(connections(), key);

	pkt_set_anno_u32(p, AGGREGATE_ANNO, t ? t->number : 0);
	if (!t || !HOOK_OF(predict)(t, &s))
		return OUTPUT(0);
	s.header->flags = 0;
	return s.length ? OUTPUT(0) : DONE(p);
}

ELEMENT(TCPLookup)
{
	struct payload payload = {};
	const struct tcp_header *tcp;
	struct tcp_key key;
	int length;

	if (!pkt_network_header(p, sizeof(struct iphdr)))
		return DROP_WITHOUT_HEADER(p);
	if (!payload_find(p, &payload))
		return REFUSED(FILTERED);
	if (payload.protocol != PROTOCOL_TCP)
		return tcp_hear_too_big(connections(), p, &payload) ? DONE(p) : REFUSED(FILTERED);
	tcp = pkt_data(p, payload.header, sizeof(*tcp));
	if (!tcp || payload.end > (int)pkt_len(p))
		return REFUSED(MALFORMED);
	key = tcp_key_of(pkt_network_header(p, sizeof(struct iphdr)), tcp);
	if (!SELF(is_unicast)(&key.own, ip_version_of(p) == 4) || !SELF(is_unicast)(&key.peer, ip_version_of(p) == 4))
		return REFUSED(FILTERED);
	length = (tcp->offset >> 4) * 4;
	if (length < (int)sizeof(*tcp) || length > payload.end - payload.header || !tcp->flags)
		return REFUSED(MALFORMED);
	if (!payload_is_right(p, &payload))
		return REFUSED(BAD_CHECKSUM);
	pkt_set_transport_header(p, payload.header);
	pkt_trim(p, payload.end);
	pkt_begin(p, payload.header + length);
	return SELF(find)(p, &key);
}
