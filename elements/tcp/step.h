/* Elements that work on the connections of a TCPConnections (_tcp.py): the steps of RFC 9293, 3.10.7, for arriving segments.
 *
 * A segment is a packet that begins with its data; IP and TCP header are in front of it, marked. Each step removes the parts that
 * it has processed: data received before, or the SYN. A segment that ends at a step leaves by output 1, if connected.
 */
#pragma once

#include "tcp/bytes.h"
#include "tcp/packets.h"

#define connections() PASTE(CONNECTIONS, all)
#define HOOK_OF(name) PASTE(CONNECTIONS, PASTE(hook, name))
/* The results for segments that end here: refused, or completely processed. */
#define REFUSED(reason) (SELF(noutputs) > 1 ? OUTPUT(1) : DROP(reason))
#define DONE(p) (SELF(noutputs) > 1 ? OUTPUT(1) : (pkt_free(p), STOLEN))
/* The result for a segment whose SYN is processed. */
#define WITHOUT_SYN(p, t, s) (tcp_cut_syn(t, s) ? OUTPUT(0) : DONE(p))

/* Whether the packet is a segment, made by TCPLookup or by TCP itself. */
static inline bool tcp_is_segment(struct pkt *p)
{
	const struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));

	return pkt_network_header(p, sizeof(struct iphdr)) && tcp && pkt_transport_offset(p) + (int)sizeof(*tcp) <= 0 &&
	       pkt_transport_offset(p) + (tcp->offset >> 4) * 4 <= 0 &&
	       pkt_network_offset(p) + (int)sizeof(struct iphdr) <= pkt_transport_offset(p);
}

/* Remove the SYN or the FIN. A push takes its place, since a segment without flags would be a processed one (STEP). */
static inline void tcp_cut_flag(const struct tcp_segment *s, __u8 flag)
{
	s->header->flags = (s->header->flags & ~flag) | TCP_PUSH;
}

/* Remove the SYN; false if nothing is left. The window beside it isn't scaled, unlike those that the next steps read (RFC 7323, 2.2). */
static inline bool tcp_cut_syn(const struct tcp *t, const struct tcp_segment *s)
{
	s->header->sequence = htonl(s->seq + 1);
	tcp_cut_flag(s, TCP_SYN);
	s->header->window = htons(s->window >> t->peer_shift);
	return s->length || s->flags & TCP_FIN;
}

/* Define `t` and `s`, the connection of `p`, or NULL, and the segment. */
#define SEGMENT(t, s)                                   \
	if (!tcp_is_segment(p))                         \
		return DROP(UNMARKED);                  \
	struct tcp *t = tcp_of(connections(), p);       \
	const struct tcp_segment s = tcp_segment_of(p)

/* The same where a connection is needed. A segment without flags is already processed: its data is for the application. */
#define STEP(t, s)                                      \
	SEGMENT(t, s);                                  \
	if (!t)                                         \
		return REFUSED(ENDED);                  \
	if (!s.flags)                                   \
		return OUTPUT(0)
