/* Reassembly of an IP packet from fragments: its data and its gaps. */
#include "element.h"
#include "ip/ip.h"
#include "ip/reassembly.h"

#include <stdlib.h>
#include <string.h>

static void partial4_key(__u64 *key, const struct iphdr *ip)
{
	memset(key, 0, PARTIAL_WORDS * sizeof(*key));
	key[0] = (__u64)ip->saddr << 32 | ip->daddr;
	key[1] = (__u64)ip->id << 8 | ip->protocol;
}

struct partial4 *partial4_find(const struct partials *all, const struct iphdr *fragment)
{
	__u64 key[PARTIAL_WORDS];

	partial4_key(key, fragment);
	return partials_find(all, key);
}

struct partial4 *partial4_begin(struct partials *all, const struct iphdr *fragment)
{
	struct partial4 *partial;
	__u64 key[PARTIAL_WORDS];

	partial4_key(key, fragment);
	partial = partials_begin(all, key, sizeof(*partial));
	if (!partial)
		return NULL;
	partial->flags = fragment->frag_off & ~htons(IP_OFFSET);
	partials_count(all, &partial->waiting, PARTIAL_OVERHEAD);
	return partial;
}

void partial4_free(struct partial4 *partial)
{
	free(partial->data);
	free(partial->span);
	free(partial);
}

void partial4_forget(struct partial *waiting)
{
	struct partial4 *partial = (struct partial4 *)waiting;

	if (partial->header)
		pkt_free(partial->header);
	partial4_free(partial);
}

bool partial4_extend(struct partial4 *partial, __u32 length)
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

bool partial4_cover(struct partial4 *partial, __u32 from, __u32 to)
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

void partial4_take_header(struct partial4 *partial, struct pkt *p, bool is_first)
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

struct pkt *partial4_packet(const struct partial4 *partial)
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
