/* RC4 and CRC-32 for WEP (IEEE 802.11, 12.3.2). Neither is secure: WEP is broken, and for RC4 see RFC 7465.
 *
 * Runtime only.
 */
#pragma once

struct rc4 {
	__u8 at[256];
	__u8 i, j;
};

static inline __u8 rc4_swap(struct rc4 *rc4, __u8 i, __u8 j)
{
	const __u8 was = rc4->at[i];

	rc4->at[i] = rc4->at[j];
	rc4->at[j] = was;
	return rc4->at[i] + was;
}

/* Initialise with a key of 1 to 256 bytes. */
static inline void rc4_start(struct rc4 *rc4, const __u8 *key, __u32 length)
{
	__u8 j = 0;

	for (__u32 i = 0; i < 256; i++)
		rc4->at[i] = i;
	for (__u32 i = 0; i < 256; i++) {
		j += rc4->at[i] + key[i % length];
		rc4_swap(rc4, i, j);
	}
	rc4->i = rc4->j = 0;
}

/* Encrypt or decrypt the next bytes in place. */
static inline void rc4_apply(struct rc4 *rc4, __u8 *bytes, __u32 length)
{
	for (__u32 n = 0; n < length; n++) {
		rc4->j += rc4->at[++rc4->i];
		bytes[n] ^= rc4->at[rc4_swap(rc4, rc4->i, rc4->j)];
	}
}

/* The CRC-32 of IEEE 802 (IEEE 802.11, 9.2.4.8), four bits at a time. */
static inline __u32 crc32_of(const __u8 *bytes, __u32 length)
{
	static const __u32 of_half[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	__u32 crc = ~0u;

	for (__u32 n = 0; n < length; n++) {
		crc ^= bytes[n];
		crc = crc >> 4 ^ of_half[crc & 15];
		crc = crc >> 4 ^ of_half[crc & 15];
	}
	return ~crc;
}
