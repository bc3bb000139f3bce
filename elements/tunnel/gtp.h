/* GTP-U headers (3GPP TS 29.281, 5.1): eight bytes; four more if one of three flags is set, and after them, with GTP_EXTENDED,
 * extension headers.
 */
#pragma once

struct gtp_header {
	__u8 flags;
	__u8 type;
	__be16 length;		/* of all after these eight bytes */
	__be32 teid;
};

#define GTP_VERSION_1 0x30	/* version 1, and protocol type GTP, not GTP' */
#define GTP_VERSION 0xf0
#define GTP_EXTENDED 0x04
#define GTP_OPTIONS 0x07	/* extension headers, sequence number, N-PDU number */
#define GTP_OPTIONS_LENGTH 4
#define GTP_PDU 255		/* the message type for a user's packet (G-PDU) */

/* The most extension headers for the kernel path. */
#define GTP_EXTENSIONS_MOST 4

static __always_inline void gtp_write(struct gtp_header *gtp, __u32 payload, __u32 teid)
{
	gtp->flags = GTP_VERSION_1;
	gtp->type = GTP_PDU;
	gtp->length = htons((__u16)payload);
	gtp->teid = htonl(teid);
}

#define GTP_MALFORMED 0
#define GTP_LONG (-1)		/* too many extension headers for the kernel path */

/* The end of the chain of extension headers. The type of the first is the byte before `offset`; each header begins with its length
 * in words, and ends with the type of the next (5.2.1).
 */
static __always_inline int gtp_skip_extensions(struct pkt *p, __u32 offset)
{
	for (int i = 0; USERSPACE || i <= GTP_EXTENSIONS_MOST; i++) {
		const __u8 *type = pkt_data(p, offset - 1, 2), *words;

		if (!type) {		/* the packet ends here */
			type = pkt_data(p, offset - 1, 1);
			return type && !*type ? (int)offset : GTP_MALFORMED;
		}
		if (!*type)
			return offset;
		words = type + 1;
		if (!*words)
			return GTP_MALFORMED;
		offset += 4 * *words;
	}
	return GTP_LONG;
}

/* The header length of a user's packet, or GTP_MALFORMED, GTP_LONG. */
static __always_inline int gtp_header_length(struct pkt *p, const struct gtp_header *gtp)
{
	if ((gtp->flags & GTP_VERSION) != GTP_VERSION_1 || gtp->type != GTP_PDU)
		return GTP_MALFORMED;
	if (ntohs(gtp->length) > pkt_len(p) - sizeof(*gtp))
		return GTP_MALFORMED;
	if (!(gtp->flags & GTP_OPTIONS))
		return sizeof(*gtp);
	if (!(gtp->flags & GTP_EXTENDED))
		return sizeof(*gtp) + GTP_OPTIONS_LENGTH;
	return gtp_skip_extensions(p, sizeof(*gtp) + GTP_OPTIONS_LENGTH);
}
