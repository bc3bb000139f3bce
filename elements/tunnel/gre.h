/* GRE headers: RFC 2784, and keys and sequence numbers of RFC 2890.
 *
 * Four bytes, and then four for each of checksum, key and sequence number with its flag set, in this order.
 */
#pragma once

struct gre_header {
	__be16 flags;
	__be16 protocol;	/* an Ethernet type */
};

#define GRE_CHECKSUM 0x8000	/* flags, host order */
#define GRE_KEY 0x2000
#define GRE_SEQUENCE 0x1000
#define GRE_REFUSED 0x4c00	/* packets with any of these must be discarded (RFC 2784, 2.3) */
#define GRE_VERSION 0x0007	/* must be 0 */

/* The length of a header with these flags (host order), 4 to 16. */
static __always_inline __u32 gre_length(__u16 flags)
{
	return sizeof(struct gre_header) + 4 * (!!(flags & GRE_CHECKSUM) + !!(flags & GRE_KEY) + !!(flags & GRE_SEQUENCE));
}

/* The offsets of key and sequence number in the header, if present. */
static __always_inline __u32 gre_key_offset(__u16 flags)
{
	return gre_length(flags & GRE_CHECKSUM);
}

static __always_inline __u32 gre_sequence_offset(__u16 flags)
{
	return gre_length(flags & (GRE_CHECKSUM | GRE_KEY));
}
