/* What a packet that isn't plain begins with in the other protocol of IP (RFC 7915), written from front to back: by siit64.h and siit46.h,
 * for the packet and, in ICMP errors, for the packet within. Runtime only.
 */
#ifndef CLICKBPF_IP6_SIITHEAD_H
#define CLICKBPF_IP6_SIITHEAD_H

#include "ip6/siit.h"

#define SIIT_MOST 128	/* two headers and an ICMP message's between them, with fragment headers */

/* What becomes of the begin of a packet: `replaced` bytes make room for the first `have` of `bytes`; `keep` is how many of the packet's bytes,
 * those replaced included, the new one is made of.
 */
struct siit_head {
	__u8 bytes[SIIT_MOST];
	__u32 have, replaced, keep;
	__u8 protocol;		/* of the outer packet, new */
	__u32 message;		/* where in the new packet its transport header is */
	int check_at;		/* where in the new packet a checksum of TCP or UDP has to be updated, or -1 */
	__u16 from, to;		/* by what (siit_update) */
	bool udp, fill;		/* it is UDP's; it had none, so that it has to be computed */
	bool whole;		/* no fragment: the outer packet's ICMP message gets a checksum */
};

#define SIIT_ICMP_HEADER 8
#define SIIT_NONE (-1)

/* A packet as it comes in, outer or within an error. */
struct siit_arrived {
	const __u8 *packet;
	__u32 length;		/* bytes that are there */
	bool quoted;		/* within an error: it may be cut, and went the other way */
	__u32 payload;		/* where the transport header is */
	__u32 end;		/* where it ends, by its header */
	__u8 protocol;
	bool named;		/* it has a fragment header; it is a fragment only if it isn't whole by itself */
	bool fragment, first, more;
	__u32 place, id;	/* of a fragment, in units of 8 bytes */
};

struct siit_message {
	int type, code;		/* type SIIT_NONE: the message has no counterpart */
	__u32 rest;		/* the four bytes after the checksum, host order */
};

static __always_inline __u16 siit_get16(const __u8 *at)
{
	return at[0] << 8 | at[1];
}

/* Adds `length` bytes of zeros, for a header; there is always room. */
void *siit_add(struct siit_head *head, __u32 length);
/* Adds the first half of an echo's header: type and checksum change, and the pseudo-header that ICMPv6 has and ICMP hasn't comes or goes:
 * `from` and `to` are its sums.
 */
void siit_add_echo(struct siit_head *head, const struct siit_arrived *in, __u8 type, __u16 from, __u16 to);
/* Adds the header of an ICMP message, without its checksum. */
void siit_add_message(struct siit_head *head, const struct siit_message *message);
/* Notes that a checksum of TCP or UDP at `payload` has to be updated, if it is there. False if it is not, and should be. */
bool siit_note_check(struct siit_head *head, const struct siit_arrived *in, __u16 from, __u16 to);
/* How many bytes of an error's packet there are: what follows them by RFC 4884 is left out. That gives the length as `words` of `unit` bytes. */
__u32 siit_quoted_length(const struct siit_arrived *in, __u32 words, __u32 unit);
/* Whether the checksum of an ICMP message is right; `pseudo` is the sum of its pseudo-header. */
bool siit_icmp_is_right(const struct siit_arrived *in, __u64 pseudo);

#endif
