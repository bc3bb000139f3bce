/* An element that works on a TCPConnections' connections (_tcp.py), and the steps of RFC 9293, 3.10.7, that segments go through.
 *
 * A segment is a packet that begins with its data; IP and TCP header are in front of it, marked. What was done is taken out of it:
 * data that had come before, SYN once it is answered. A segment whose way ends leaves by output 1, if that is there.
 */
#pragma once

#include "tcp/bytes.h"
#include "tcp/packets.h"

#define connections() PASTE(CONNECTIONS, all)
#define HOOK_OF(name) PASTE(CONNECTIONS, PASTE(hook, name))
/* Where a segment goes whose way ends here: it was wrong, or is done with. */
#define REFUSED(reason) (SELF(noutputs) > 1 ? OUTPUT(1) : DROP(reason))
#define DONE(p) (SELF(noutputs) > 1 ? OUTPUT(1) : (pkt_free(p), STOLEN))

/* Whether the packet is a segment: TCPLookup, or TCP, has made it one. */
static inline bool tcp_is_segment(struct pkt *p)
{
	const struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));

	return pkt_network_header(p, sizeof(struct iphdr)) && tcp && pkt_transport_offset(p) + (int)sizeof(*tcp) <= 0 &&
	       pkt_transport_offset(p) + (tcp->offset >> 4) * 4 <= 0 &&
	       pkt_network_offset(p) + (int)sizeof(struct iphdr) <= pkt_transport_offset(p);
}

/* `t` and `s` are the connection and the segment of `p`. One without flags has been dealt with: what is left are data for the
 * application.
 */
#define STEP(t, s)                                      \
	if (!tcp_is_segment(p))                         \
		return DROP(UNMARKED);                  \
	struct tcp *t = tcp_of(connections(), p);       \
	const struct tcp_segment s = tcp_segment_of(p); \
                                                        \
	if (!t)                                         \
		return REFUSED(ENDED);                  \
	if (!s.flags)                                   \
	return OUTPUT(0)

/* Show a connection's hooks the options of a segment: at most 40 steps. */
#define READ_OPTIONS(t, s)                                                                                    \
	do {                                                                                                  \
		const __u8 *option_ = (const __u8 *)((s)->header + 1);                                        \
		const __u8 *end_ = (const __u8 *)(s)->header + ((s)->header->offset >> 4) * 4;                \
		__u32 length_;                                                                                \
                                                                                                              \
		for (; option_ < end_ && (length_ = ip_option_length(option_, end_)) && *option_; option_ += length_) \
			if (*option_ > 1)                                                                     \
				HOOK_OF(read_option)(t, option_, (s)->flags);                                 \
	} while (0)
