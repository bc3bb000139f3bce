#include "ip6/segments.h"
#if USERSPACE
#include <string.h>
#endif

#define SRH_LENGTH (sizeof(struct segments) + 16 * cfg.count)
#define SRH_FIRST(srh) ((srh)->addresses + 16 * (cfg.count - 1))

/* Writes the header. `to` is the packet's destination. */
static __always_inline void SELF(write)(struct segments *srh, __u8 next, const __u64 to[2])
{
	*srh = (struct segments){
		.next = next, .length = 2 * cfg.count, .type = SEGMENTS_TYPE, .left = cfg.count - 1, .last = cfg.count - 1,
	};
	if (cfg.encap_dst) {
		word64(srh->addresses) = to[0];
		word64(srh->addresses + 8) = to[1];
	}
	SELF(write_given)(srh->addresses + (cfg.encap_dst ? 16 : 0));
}

/* The length of a hop-by-hop header, which stays in front; 0 if there is none, or if it is truncated. */
static __always_inline __u32 SELF(hops)(struct pkt *p UNUSED, const struct ip6_header *ip UNUSED)
{
#if USERSPACE
	const __u8 *hops = ip->next == IP6_HOP_BY_HOP ? pkt_data(p, sizeof(*ip), 8) : NULL;

	if (hops && pkt_data(p, sizeof(*ip), (hops[1] + 1) * 8))
		return (hops[1] + 1) * 8;
#endif
	return 0;
}

ELEMENT(IP6SREncap)
{
	struct ip6_header *ip = pkt_data(p, 0, sizeof(*ip));
	struct ip6_words words;
	struct segments *srh;
	__u8 *new, next;
	__u32 hops;

	if (!ip || ip6_version(ip) != 6 || ntohs(ip->length) > 0xffff - SRH_LENGTH)
		return DROP(MALFORMED);
	next = ip->next;
	if (!USERSPACE && next == IP6_HOP_BY_HOP)
		return PUNT;
	hops = SELF(hops)(p, ip);
	if (next == IP6_HOP_BY_HOP && !hops)
		return DROP(MALFORMED);
	if (!pkt_push(p, SRH_LENGTH))
		return PUNT;
	new = pkt_data(p, 0, SRH_LENGTH + sizeof(*ip));
	if (!new)
		return DROP(NO_HEADROOM);
	words = ip6_words(new + SRH_LENGTH);
	srh = (void *)(new + sizeof(*ip) + hops);
#if USERSPACE
	if (hops) {
		memmove(new + sizeof(*ip), new + SRH_LENGTH + sizeof(*ip), hops);
		next = new[sizeof(*ip)];
		new[sizeof(*ip)] = IP6_ROUTING;
	}
#endif
	SELF(write)(srh, next, words.word + 3);
	ip6_set_destination(&words, SRH_FIRST(srh));
	ip6_rewrite(p, new, &words, SRH_LENGTH, hops ? IP6_HOP_BY_HOP : IP6_ROUTING);
	return OUTPUT(0);
}

#undef SRH_LENGTH
#undef SRH_FIRST
