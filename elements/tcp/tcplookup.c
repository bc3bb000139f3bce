/* TCPLookup: finds the connection of a segment. */
#include "tcp/toobig.h"

/* The offsets of TCP's header and of the packet's end. */
struct SELF(place) {
	int header, end;
};

static bool SELF(is_unicast4)(__be32 address)
{
	return address && !ip_is_multicast(address) && address != 0xffffffff;
}

/* Not IPv4-mapped either: such addresses mean those of IPv4 (struct tcp_key). */
static bool SELF(is_unicast6)(const __u8 *address)
{
	return !ip6_is_multicast(address) && !ip6_is_zero(address) && !tcp_is_mapped(address);
}

static bool SELF(find4)(struct pkt *p, const struct iphdr *ip, struct SELF(place) *place)
{
	const int start = pkt_network_offset(p);

	*place = (struct SELF(place)){start + (int)ip_header_length(ip), start + ntohs(ip->tot_len)};
	return ip->protocol == PROTOCOL_TCP && !ip_is_fragment(ip) && ip_header_length(ip) >= sizeof(*ip) &&
	       SELF(is_unicast4)(ip->saddr) && SELF(is_unicast4)(ip->daddr);
}

static bool SELF(find6)(struct pkt *p, struct SELF(place) *place)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	const int header = pkt_network_offset(p) + (int)sizeof(*ip);

	if (!ip || ip6_version(ip) != 6)
		return false;
	*place = (struct SELF(place)){header, header + ntohs(ip->length)};
	return ip->next == PROTOCOL_TCP && SELF(is_unicast6)(ip->source) && SELF(is_unicast6)(ip->destination);
}

/* Strip the packet to its segment's data. Returns DROP_REASONS, or the reason if it isn't a good segment. */
static enum drop_reason SELF(strip)(struct pkt *p, const struct SELF(place) *place)
{
	const __u32 length = place->end - place->header;
	const struct tcp_header *tcp = pkt_data(p, place->header, sizeof(*tcp));
	__u32 header;
	__u64 sum;

	if (!tcp || place->end < place->header + (int)sizeof(*tcp) || place->end > (int)pkt_len(p))
		return DROP_MALFORMED;
	header = (tcp->offset >> 4) * 4;
	if (header < sizeof(*tcp) || header > length || !tcp->flags)
		return DROP_MALFORMED;
	sum = tcp_pseudo_sum(pkt_network_header(p, sizeof(struct iphdr)), length);
	if (!sum_bytes(p, place->header, length, &sum) || checksum_fold(sum) != 0xffff)
		return DROP_BAD_CHECKSUM;
	pkt_set_transport_header(p, place->header);
	return pkt_trim(p, place->end) && pkt_begin(p, place->header + (int)header) ? DROP_REASONS : DROP_MALFORMED;
}

ELEMENT(TCPLookup)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(place) place = {};
	enum drop_reason reason;
	struct tcp_segment s;
	struct tcp_key key;
	struct tcp *t;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	if (!(ip->version == 4 ? SELF(find4)(p, ip, &place) : SELF(find6)(p, &place)))
		return tcp_hear_too_big(connections(), p) ? DONE(p) : REFUSED(FILTERED);
	reason = SELF(strip)(p, &place);
	if (reason != DROP_REASONS)
		return SELF(noutputs) > 1 ? OUTPUT(1) : DROP_RESULT(reason);
	tcp_key_of(p, &key);
	t = tcp_find(connections(), &key);
	pkt_set_anno_u32(p, AGGREGATE_ANNO, t ? t->number : 0);
	s = tcp_segment_of(p);
	if (t && HOOK_OF(predict)(t, &s)) {
		if (!s.length)
			return DONE(p);
		s.header->flags = 0;
	}
	return OUTPUT(0);
}
