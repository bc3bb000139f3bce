/* The first bytes of a translated packet that isn't plain (RFC 7915), written from front to back by siit64.h and siit46.h, for the
 * packet and, in ICMP errors, for the packet in it. Runtime only.
 */
#pragma once

#include "ip6/siit.h"

#define SIIT_MOST 128	/* two headers with an ICMP message's between them, and fragment headers */

/* How the beginning of a packet is translated: `replaced` bytes are replaced by the first `have` of `bytes`. `keep` is the number
 * of the packet's bytes, replaced ones included, that the new packet is made from.
 */
struct siit_head {
	__u8 bytes[SIIT_MOST];
	__u32 have, replaced, keep;
	__u8 protocol;		/* of the outer packet, in its new version */
	__u32 message;		/* the place of the transport header in the new packet */
	int check_at;		/* the place in the new packet of a TCP or UDP checksum that has to be updated, or -1 */
	__u16 from, to;		/* the amount to update it by (siit_update) */
	bool udp, fill;		/* it is UDP's; it was missing and has to be computed */
	bool whole;		/* not a fragment: the outer packet's ICMP message gets a checksum */
	/* The place where an error's packet ends, and the number of bytes of the extension that follows (RFC 4884). Before these the new
	 * packet has `pad` zeros more, or, if negative, so many bytes less.
	 */
	__u32 quoted, extended;
	int pad;
};

#define SIIT_ICMP_HEADER 8
#define SIIT_NONE (-1)

/* A packet to be translated, the outer one or the one in an error. */
struct siit_arrived {
	const __u8 *packet;
	__u32 length;		/* bytes that are there */
	bool quoted;		/* it is in an error: it may be cut, and went the other way */
	bool fragmentable;	/* what is short may be fragmented as IPv4 (RFC 7915, 5.1) */
	__u32 payload;		/* the place of the transport header */
	__u32 end;		/* its end, by its header */
	__u8 protocol;
	bool named;		/* it has a fragment header, even if it is not a fragment */
	bool fragment, first, more;
	__u32 place, id;	/* of a fragment, in units of 8 bytes */
};

struct siit_message {
	int type, code;		/* type SIIT_NONE: the message can't be translated */
	__u32 rest;		/* the four bytes after the checksum, host order */
};

static __always_inline __u16 siit_get16(const __u8 *at)
{
	return at[0] << 8 | at[1];
}

/* Adds `length` zero bytes, for a header; there is always room. */
void *siit_add(struct siit_head *head, __u32 length);
/* Adds the first half of an echo's header: type and checksum change, and so does the sum of the pseudo-header, which only ICMPv6
 * has: `from` and `to` are its sums.
 */
void siit_add_echo(struct siit_head *head, const struct siit_arrived *in, __u8 type, __u16 from, __u16 to);
/* Adds the header of an ICMP message, without its checksum. */
void siit_add_message(struct siit_head *head, const struct siit_message *message);
/* Notes that a TCP or UDP checksum at `payload` has to be updated, if it is there. False if it should be there but is not. */
bool siit_note_check(struct siit_head *head, const struct siit_arrived *in, __u16 from, __u16 to);
/* Note how long an error's packet is, and the extension that may follow (RFC 4884): the length is in `words`, of `unit` bytes each.
 * Returns the packet's number of bytes.
 */
__u32 siit_note_quoted(struct siit_head *head, const struct siit_arrived *in, __u32 words, __u32 unit);
/* The bytes of the new packet. */
static __always_inline __u32 siit_length(const struct siit_head *head)
{
	return head->keep - head->replaced + head->have + head->pad;
}
/* Cut an error to the length of `most`. The length of its packet, if an extension follows, becomes a number of `unit`s, and
 * `attribute` is the byte of the message that has this number; 0 if the new message has none, and so no extension.
 */
void siit_fit(struct siit_head *head, __u32 most, __u32 unit, __u32 attribute);
/* Whether the checksum of an ICMP message is right; `pseudo` is the sum of its pseudo-header. */
bool siit_icmp_is_right(const struct siit_arrived *in, __u64 pseudo);
