/* The head of a translated packet that isn't plain (RFC 7915): written from front to back by siit64.h and siit46.h, for the packet
 * and, in ICMP errors, for the quoted packet. Runtime only.
 */
#pragma once

#include "ip6/siit.h"

#define SIIT_MOST 128	/* two headers with an ICMP message's between them, and fragment headers */

/* The translation of a packet's beginning: the first `replaced` bytes are replaced by the first `have` of `bytes`. `keep` is the
 * number of the old packet's bytes used, including the replaced ones.
 */
struct siit_head {
	__u8 bytes[SIIT_MOST];
	__u32 have, replaced, keep;
	__u8 protocol;		/* of the outer packet, in its new version */
	__u32 message;		/* the offset of the transport header in the new packet */
	int check_at;		/* the offset in the new packet of a TCP or UDP checksum to update, or -1 */
	__u16 from, to;		/* the amount to update it by (siit_update) */
	bool udp, fill;		/* it is UDP's; it is missing and must be computed */
	bool whole;		/* not a fragment: the outer packet's ICMP message gets a checksum */
	/* The end of an error's quoted packet, and the length of the extension after it (RFC 4884). Between them the new packet has
	 * `pad` more zeros or, if negative, fewer bytes.
	 */
	__u32 quoted, extended;
	int pad;
};

#define SIIT_ICMP_HEADER 8
#define SIIT_NONE (-1)

/* A packet to translate, the outer one or the one quoted in an error. */
struct siit_arrived {
	const __u8 *packet;
	__u32 length;		/* bytes present */
	bool quoted;		/* quoted in an error: may be truncated, and went the other way */
	bool fragmentable;	/* short packets may be fragmented as IPv4 (RFC 7915, 5.1) */
	__u32 payload;		/* the offset of the transport header */
	__u32 end;		/* the packet's end by its header */
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
/* Adds the first half of an echo's header, with a new type and checksum. `from` and `to` are the sums of the pseudo-header, which
 * only ICMPv6 has.
 */
void siit_add_echo(struct siit_head *head, const struct siit_arrived *in, __u8 type, __u16 from, __u16 to);
/* Adds the header of an ICMP message, without its checksum. */
void siit_add_message(struct siit_head *head, const struct siit_message *message);
/* Records that a TCP or UDP checksum at `payload` must be updated, if present. False if it is missing from a packet that should
 * have it.
 */
bool siit_note_check(struct siit_head *head, const struct siit_arrived *in, __u16 from, __u16 to);
/* Records the length of an error's quoted packet, `words` units of `unit` bytes, and the extension that may follow (RFC 4884).
 * Returns the quoted packet's length in bytes.
 */
__u32 siit_note_quoted(struct siit_head *head, const struct siit_arrived *in, __u32 words, __u32 unit);
/* The length of the new packet. */
static __always_inline __u32 siit_length(const struct siit_head *head)
{
	return head->keep - head->replaced + head->have + head->pad;
}
/* Cut an error to at most `most` bytes. If an extension follows the quoted packet, its length becomes a multiple of `unit`, and is
 * written to the byte `attribute` of the message; an `attribute` of 0 means that the new message can't have extensions.
 */
void siit_fit(struct siit_head *head, __u32 most, __u32 unit, __u32 attribute);
/* Whether the checksum of an ICMP message is right; `pseudo` is the sum of its pseudo-header. */
bool siit_icmp_is_right(const struct siit_arrived *in, __u64 pseudo);
