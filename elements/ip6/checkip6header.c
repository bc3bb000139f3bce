#include "ip6/ip6.h"
#include "common/headerreject.inc.h"

/* Whether the packet is plain: version 6, no extension headers, exactly as long as its header says, ordinary addresses. */
static __always_inline bool SELF(plain)(struct pkt *p)
{
	const struct ip6_header *ip = pkt_data(p, cfg.offset, sizeof(*ip));

	return ip && !pkt_is_trimmed(p) && ip6_version(ip) == 6 && ip6_is_last(ip->next) &&
	       ntohs(ip->length) == pkt_len(p) - cfg.offset - (__u32)sizeof(*ip) && ip6_is_common(ip->source) &&
	       ip6_is_common(ip->destination);
}

/* RFC 4291: no source is a group (2.7) or the loopback address (2.5.3); the latter is checked last, since few packets get that far.
 */
static __always_inline bool SELF(is_source)(const __u8 *address)
{
	if (unlikely(!ip6_high(address)))
		return !ip6_is_loopback(address) && !SELF(bad_address)(address);
	return !ip6_is_multicast(address) && !SELF(bad_address)(address);
}

/* `room` bytes of the packet begin with `ip`. */
static __always_inline int SELF(mistake)(struct pkt *p, const struct ip6_header *ip, __u32 room)
{
	if (!pkt_is_plain(p)) {
		if (ip6_version(ip) != 6)
			return SELF(VERSION);
		if (ntohs(ip->length) > room - sizeof(*ip))
			return SELF(LENGTH);
		if (!SELF(is_source)(ip->source))
			return SELF(SOURCE);
		if (ip6_is_zero(ip->destination) || ip6_is_loopback(ip->destination))
			return SELF(DESTINATION);
	} else if (SELF(bad_address)(ip->source)) {
		return SELF(SOURCE);
	}
	return SELF(NOTHING);
}

/* Sets annotations and length of a packet with a good header. */
static __always_inline void SELF(accept)(struct pkt *p, const struct ip6_header *ip)
{
	struct ip6_inner inner;

	pkt_set_network_header(p, cfg.offset);
	pkt_set_dst_ip6(p, ip->destination);
	if (pkt_is_plain(p)) {
		pkt_mark_plain(p, sizeof(*ip));
		pkt_note_ip(p, 6, true);
		pkt_note_common(p);
		return;
	}
	pkt_cut(p, pkt_len(p) - cfg.offset - (__u32)sizeof(*ip) - ntohs(ip->length));
	pkt_assure(p, cfg.offset + sizeof(*ip));
	inner = ip6_walk(p, ip);
	pkt_set_transport_header(p, cfg.offset + inner.offset);
	pkt_note_ip(p, 6, false);
}

ELEMENT(CheckIP6Header)
{
	const struct ip6_header *ip = pkt_data(p, cfg.offset, sizeof(*ip));
	const int mistake = ip ? SELF(mistake)(p, ip, pkt_len(p) - cfg.offset) : SELF(TINY);

	if (mistake != SELF(NOTHING))
		return SELF(reject)(p, mistake, mistake < SELF(SOURCE) ? DROP(MALFORMED) : DROP(FILTERED));
	SELF(accept)(p, ip);
	return OUTPUT(0);
}
