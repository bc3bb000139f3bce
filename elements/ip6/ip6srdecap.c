#include "ip6/segments.h"
#if USERSPACE
#include <string.h>
#endif

/* The offset of the header, which only options may precede, or 0 if there is none; *named is the next header byte before it. -1 on
 * the kernel path for packets with options, whose end it doesn't know.
 */
static __always_inline int SELF(find)(struct pkt *p UNUSED, const struct ip6_header *ip, int *named)
{
	int at = sizeof(*ip), kind = ip->next;

	*named = offsetof(struct ip6_header, next);
#if USERSPACE
	for (int i = 0; i < IP6_MOST_EXTENSIONS && (kind == IP6_HOP_BY_HOP || kind == IP6_DESTINATION); i++) {
		const __u8 *options = pkt_data(p, at, 8);

		if (!options)
			return 0;
		*named = at;
		kind = options[0];
		at += (options[1] + 1) * 8;
	}
#else
	if (kind == IP6_HOP_BY_HOP || kind == IP6_DESTINATION)
		return -1;
#endif
	return kind == IP6_ROUTING ? at : 0;
}

/* The offset, after the header's first bytes, of the new destination; negative if there is none. */
static __always_inline int SELF(wanted)(const struct segments *srh)
{
	if (srh->length < 2)
		return -1;
	if (cfg.force_decap || !srh->left)
		return 0;
	if (srh->last > srh->length / 2 - 1 || srh->left > srh->last + 1)
		return -1;
	return 16 * (srh->left - 1);
}

/* Removes `gap` bytes at an offset after the IPv6 header, which is written anew from `words`. */
static __always_inline bool SELF(remove)(struct pkt *p, int at, int named, const struct ip6_words *words, int gap, __u8 next)
{
	__u8 *new;

#if USERSPACE
	p->data[named] = next;
	memmove(p->data + gap + sizeof(struct ip6_header), p->data + sizeof(struct ip6_header), at - sizeof(struct ip6_header));
#endif
	if (!pkt_pull(p, gap))
		return false;
	new = pkt_data(p, 0, sizeof(struct ip6_header));
	if (!new)
		return false;
	ip6_rewrite(p, new, words, -gap, (__u32)named == offsetof(struct ip6_header, next) ? next : (__u8)(words->word[0] >> 48));
	return true;
}

ELEMENT(IP6SRDecap)
{
	struct ip6_header *ip = pkt_data(p, 0, sizeof(*ip));
	int named, at = ip && ip6_version(ip) == 6 ? SELF(find)(p, ip, &named) : 0, gap, wanted;
	struct ip6_words words;
	struct segments *srh;
	const __u8 *address;

	if (at < 0)
		return PUNT;
	srh = at ? pkt_data(p, at, sizeof(*srh)) : NULL;
	if (!srh)
		return at ? DROP(MALFORMED) : OUTPUT(0);
	if (srh->type != SEGMENTS_TYPE)
		return OUTPUT(0);
	wanted = SELF(wanted)(srh);
	gap = (srh->length + 1) * 8;
	address = wanted < 0 ? NULL : pkt_data(p, at + sizeof(*srh) + wanted, 16);
	if (!address || pkt_len(p) < (__u32)(at + gap) || ntohs(ip->length) < at + gap - (int)sizeof(*ip))
		return DROP(MALFORMED);
	words = ip6_words(ip);
	ip6_set_destination(&words, address);
	if (cfg.force_decap || !srh->left)
		return SELF(remove)(p, at, named, &words, gap, srh->next) ? OUTPUT(0) : DROP(MALFORMED);
	srh->left--;
	ip6_rewrite(p, (void *)ip, &words, 0, ip->next);
	return OUTPUT(0);
}
