/* Reassembly of an IP packet from fragments (RFC 791, 3.2; RFC 815): the received parts and the gaps.
 *
 * Runtime only. Offsets count bytes from the end of the IP header.
 */
#pragma once

#include "ip/ip.h"
#include "ip/partials.h"

#define PARTIAL_OVERHEAD 40	/* bytes counted for each, besides its data, as in Click */

struct span {
	__u32 from, to;
};

/* A partial packet. `header` is the first fragment, or until that arrives the earliest one, cut to its header; `span` are the
 * received byte ranges, in order, no two adjacent.
 */
struct partial4 {
	struct partial waiting;
	struct pkt *header;
	__be16 flags;		/* the fragment field for the header: MF until the last fragment has arrived */
	__u16 mtu;		/* length of the longest fragment, with its header */
	__u64 second;		/* when the latest fragment came */
	__u8 *data;
	__u32 length, room;	/* of the data */
	struct span *span;
	__u32 spans, span_room;
};

/* The partial packet of a fragment, or NULL. */
struct partial4 *partial4_find(const struct partials *all, const struct iphdr *fragment);
/* Add one for a fragment with this header; NULL when out of memory. */
struct partial4 *partial4_begin(struct partials *all, const struct iphdr *fragment);
/* Free it, but not its header. */
void partial4_free(struct partial4 *partial);
/* Free it with its header. */
void partial4_forget(struct partial *partial);

/* Make room for `length` bytes of data; new bytes are zero. False, with nothing changed, if there is no memory. */
bool partial4_extend(struct partial4 *partial, __u32 length);
/* Add the bytes [from, to): one span replaces all spans that they touch. Of a packet's 65,535 bytes, in units of 8, there
 * are at most 4,096 spans with gaps between them. False, and nothing has changed, without memory.
 */
bool partial4_cover(struct partial4 *partial, __u32 from, __u32 to);
static inline bool partial4_is_whole(const struct partial4 *partial)
{
	return !(partial->flags & htons(IP_MF)) && partial->spans == 1 && partial->span[0].from == 0 &&
	       partial->span[0].to == partial->length;
}

/* Make a fragment the header. A later fragment's options aren't the packet's, and are ignored. */
void partial4_take_header(struct partial4 *partial, struct pkt *p, bool is_first);
/* The packet, whole or not: the header followed by all data. NULL, with everything freed, when out of memory. */
struct pkt *partial4_packet(const struct partial4 *partial);
