#include "ip6/ip6.h"

#if USERSPACE
/* RFC 8200, 4.5. */
struct SELF(fragment_header) {
	__u8 next, reserved;
	__be16 place;		/* offset in units of 8 bytes, two reserved bits, "more fragments" */
	__be32 id;
};

/* How a packet is divided; offsets count from its IPv6 header. */
struct SELF(division) {
	__u32 shared;		/* the length of the headers repeated in all fragments */
	__u32 naming;		/* the next header byte before the divided part */
	__u32 end;
	__be32 id;
};

/* Finds out how to divide the packet; false if it can't be divided. */
static bool SELF(divide)(struct pkt *p, const struct ip6_header *ip, struct SELF(division) *division)
{
	struct ip6_inner at = { .protocol = ip->next, .offset = sizeof(*ip), .named = offsetof(struct ip6_header, next) };
	int i = 0;

	division->shared = at.offset;
	division->naming = at.named;
	for (; i < IP6_MOST_EXTENSIONS && ip6_is_extension(at.protocol); i++) {
		const int kind = at.protocol;

		ip6_step_over(pkt_network_data(p, at.offset, 8), &at);
		if (at.fragment || at.protocol < 0)
			return false;
		if (kind == IP6_HOP_BY_HOP || kind == IP6_ROUTING) {
			division->shared = at.offset;
			division->naming = at.named;
		}
	}
	return !ip6_is_extension(at.protocol) && (__u32)at.offset <= division->end;
}

/* The fragment with `length` bytes of the data from `offset` on. */
static struct pkt *SELF(piece)(struct pkt *p, const struct SELF(division) *division, __u32 offset, __u32 length)
{
	const __u8 *whole = pkt_network_header(p, division->end);
	const __u32 header = division->shared + sizeof(struct SELF(fragment_header));
	const bool more = division->shared + offset + length < division->end;
	struct SELF(fragment_header) *fragment;
	struct pkt *piece = pkt_new(cfg.headroom, header + length);
	struct ip6_header *ip;

	if (!piece)
		return NULL;
	memcpy(piece->data, whole, division->shared);
	memcpy(piece->data + header, whole + division->shared + offset, length);
	fragment = (void *)(piece->data + division->shared);
	*fragment = (struct SELF(fragment_header)){
		.next = whole[division->naming], .place = htons((__u16)(offset | more)), .id = division->id,
	};
	piece->data[division->naming] = IP6_FRAGMENT;
	ip = (void *)piece->data;
	ip->length = htons((__u16)(header + length - sizeof(*ip)));
	pkt_set_network_header(piece, 0);
	pkt_set_transport_header(piece, header);
	pkt_take_annotations(piece, p);
	return piece;
}

/* All fragments, linked; fragments that there is no memory for are left out. There are at most 8,190: a packet's 65,515 bytes, 8 in
 * each.
 */
static struct pkt *SELF(pieces)(struct pkt *p, const struct SELF(division) *division, __u32 room)
{
	struct pkt *first = NULL, **last = &first;

	for (__u32 offset = 0; division->shared + offset < division->end; offset += room) {
		const __u32 left = division->end - division->shared - offset;

		*last = SELF(piece)(p, division, offset, left < room ? left : room);
		if (*last)
			last = &(*last)->next;
	}
	*last = NULL;
	return first;
}

static bool SELF(split)(struct pkt *p, const struct ip6_header *ip)
{
	struct SELF(division) division = { .end = sizeof(*ip) + ntohs(ip->length), .id = random_u32() };
	struct pkt *piece, *next;
	__u32 header;

	if (!SELF(divide)(p, ip, &division))
		return false;
	header = division.shared + sizeof(struct SELF(fragment_header));
	if (cfg.mtu < header + 8)
		return false;
	piece = SELF(pieces)(p, &division, (cfg.mtu - header) & ~7u);
	pkt_free(p);
	for (; piece; piece = next) {
		next = piece->next;
		count(counters, fragments, 1);
		emit(piece, 0);
	}
	return true;
}
#endif

MARKED_ELEMENT(IP6Fragmenter, const struct ip6_header, ip)
{
	int length;

	length = (int)pkt_len(p) - pkt_network_offset(p);
	if (length <= (int)cfg.mtu)
		return OUTPUT(0);
	if (cfg.split) {
#if USERSPACE
		if ((int)(sizeof(*ip) + ntohs(ip->length)) > length)
			return DROP(MALFORMED);
		if (SELF(split)(p, ip))
			return STOLEN;
#else
		return PUNT;
#endif
	}
	count(counters, drops, 1);
	return SELF(noutputs) == 2 ? OUTPUT(1) : DROP(FILTERED);
}
