/* IP packets that are put together from fragments (RFC 791, 3.2; RFC 815): what has come of one, and where the gaps are.
 *
 * Runtime only. Offsets are of bytes behind the IP header.
 */
#ifndef CLICKBPF_IP_REASSEMBLY_H
#define CLICKBPF_IP_REASSEMBLY_H

#include <stdlib.h>
#include <string.h>
#include "ip/ip.h"

#define PARTIAL_OVERHEAD 40	/* bytes that count for each, besides its data; as in Click */

struct span {
	__u32 from, to;
};

/* A packet that isn't whole. `header` is its first fragment, or until that comes, the one that came first, cut to its
 * header; `span` what has come, in order, no two touching.
 */
struct partial {
	struct partial *next;		/* in its chain (partials.h) */
	struct partial *older, *newer;
	struct iphdr key;	/* identification, protocol and addresses tell whose fragments belong together */
	struct pkt *header;
	__be16 flags;		/* the header's fragment field to be: MF until the last fragment has come */
	__u16 mtu;		/* length of the longest fragment, with its header */
	__u64 second;		/* when the last one to come came */
	__u8 *data;
	__u32 length, room;	/* of the data */
	struct span *span;
	__u32 spans, span_room;
};

/* Without its header. */
static inline void partial_free(struct partial *partial)
{
	free(partial->data);
	free(partial->span);
	free(partial);
}

static inline __u32 partial_memory(const struct partial *partial)
{
	return PARTIAL_OVERHEAD + partial->length;
}

static inline bool partial_is_of(const struct partial *partial, const struct iphdr *ip)
{
	const struct iphdr *own = &partial->key;

	return own->id == ip->id && own->protocol == ip->protocol && own->saddr == ip->saddr && own->daddr == ip->daddr;
}

/* Have room for so many bytes of data; those between are zero. */
static inline bool partial_extend(struct partial *partial, __u32 length)
{
	if (length > partial->room) {
		__u32 room = partial->room ?: 2048;
		__u8 *data;

		while (room < length)
			room *= 2;
		data = realloc(partial->data, room);
		if (!data)
			return false;
		partial->data = data;
		partial->room = room;
	}
	if (length > partial->length) {
		memset(partial->data + partial->length, 0, length - partial->length);
		partial->length = length;
	}
	return true;
}

/* The bytes [from, to) have come: one span takes the place of all that they touch. Of a packet's 65,535 bytes, in units of 8, there
 * are at most 4,096 spans with gaps between them.
 */
static inline bool partial_cover(struct partial *partial, __u32 from, __u32 to)
{
	__u32 first = 0, behind;

	if (partial->spans == partial->span_room) {
		__u32 room = partial->span_room ? 2 * partial->span_room : 4;
		struct span *span = realloc(partial->span, room * sizeof(*span));

		if (!span)
			return false;
		partial->span = span;
		partial->span_room = room;
	}
	while (first < partial->spans && partial->span[first].to < from)
		first++;
	for (behind = first; behind < partial->spans && partial->span[behind].from <= to; behind++) {
		from = partial->span[behind].from < from ? partial->span[behind].from : from;
		to = partial->span[behind].to > to ? partial->span[behind].to : to;
	}
	memmove(&partial->span[first + 1], &partial->span[behind], (partial->spans - behind) * sizeof(*partial->span));
	partial->span[first] = (struct span){from, to};
	partial->spans = partial->spans - behind + first + 1;
	return true;
}

static inline bool partial_is_whole(const struct partial *partial)
{
	return !(partial->flags & htons(IP_MF)) && partial->spans == 1 && partial->span[0].from == 0 &&
	       partial->span[0].to == partial->length;
}

/* The fragment becomes the header: of one that isn't the first, the options are its own and don't count. */
static inline void partial_take_header(struct partial *partial, struct pkt *p, bool is_first)
{
	struct iphdr *ip = (struct iphdr *)(p->head + p->net);

	if (!is_first)
		ip->ihl = sizeof(*ip) / 4;
	p->trans = p->net + ip_header_length(ip);
	pkt_trim(p, pkt_transport_offset(p));
	if (partial->header)
		pkt_free(partial->header);
	partial->header = p;
}

/* The header with all data behind it: the packet, whole or not; NULL, and nothing left, without memory. */
static inline struct pkt *partial_packet(const struct partial *partial)
{
	struct pkt *p = partial->header;
	__u32 headers = pkt_len(p);

	if (!pkt_put(p, partial->length)) {
		pkt_free(p);
		return NULL;
	}
	memcpy(p->data + headers, partial->data, partial->length);
	((struct iphdr *)(p->head + p->net))->frag_off = partial->flags;
	return p;
}

#endif
