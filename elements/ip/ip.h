/* IPv4: checksums (RFC 1071, RFC 1624), flags, and options (RFC 791).
 *
 * Sums and checksums are of 16-bit words as they are in the packet: ones' complement addition is independent of the byte order (RFC
 * 1071, section 2), so nothing is swapped.
 */
#pragma once

#define IP_DF 0x4000		/* bits of the fragment field, host order */
#define IP_MF 0x2000
#define IP_OFFSET 0x1fff

#define IP_HEADER_MAX 60
#define IP_PLAIN 0x45		/* the first byte of a header without options */
#define PADDING_MOST (ETH_ZLEN - ETH_HLEN - (int)sizeof(struct iphdr))	/* Ethernet's behind an IP packet */

/* Print a line on standard error, at most `times` times; no effect in the kernel. */
#define ALWAYS (-1)
#if USERSPACE
#include <stdio.h>
#define warn(times, format, ...)                                                               \
	do {                                                                                   \
		LASTING_HERE(unsigned int, told_, told_own_);                                  \
		if ((unsigned int)(times) > __atomic_fetch_add(told_, 1, __ATOMIC_RELAXED))    \
			fprintf(stderr, format "\n", ##__VA_ARGS__);                           \
	} while (0)
#else
#define warn(times, format, ...) do { } while (0)
#endif

/* In Click's words: `table` is its name for the kind of table. */
#define tell_no_route(table, times, address)                                             \
	warn(times, "%s: no route for %u.%u.%u.%u", table, (address) & 0xff,             \
	     (address) >> 8 & 0xff, (address) >> 16 & 0xff, (address) >> 24)

/* Fold a sum to 16 bits. The result is 0 only for a sum of 0. */
static __always_inline __u16 checksum_fold(__u64 sum)
{
	sum = (sum >> 32) + (__u32)sum;
	sum = (sum >> 32) + (__u32)sum;
	sum = (sum >> 16) + (__u16)sum;
	sum = (sum >> 16) + (__u16)sum;
	return (sum >> 16) + (__u16)sum;
}

/* Whether the sum of words including their checksum is right: a nonzero multiple of 0xffff (RFC 1071, section 1). Multiplied by
 * (2^64 - 1) / 0xffff, such a sum k * 0xffff becomes -k, and any other sum is smaller: k is below 2^31 for all packets.
 */
static __always_inline bool checksum_is_right(__u64 sum)
{
	return sum * 0x0001000100010001ull >= (__u64)-(1ll << 31);
}

/* The new checksum when a covered 16-bit word changes from `from` to `to` (RFC 1624, equation 3). All three are in the packet's
 * byte order.
 */
static __always_inline __u16 checksum_update(__u16 check, __u16 from, __u16 to)
{
	return ~checksum_fold((__u64)(__u16)~check + (__u16)~from + to);
}

/* Sum of 20 bytes: an IP header without options. */
static __always_inline __u64 ip_sum20(const void *header)
{
	const __u8 *at = header;

	return (__u64)word32(at) + word32(at + 4) + word32(at + 8) + word32(at + 12) + word32(at + 16);
}

/* The checksum of `length` bytes, in which the checksum field is zero. Runtime only, since the loop is unbounded. */
static inline __u16 checksum(const void *data, __u32 length)
{
	const __u8 *at = data;
	__u64 sum = 0;

	for (; length >= 4; length -= 4, at += 4)
		sum += word32(at);
	if (length >= 2) {
		sum += word16(at);
		at += 2;
	}
	if (length & 1)
		sum += *at;
	return ~checksum_fold(sum);
}

static __always_inline __u32 ip_header_length(const struct iphdr *ip)
{
	return ip->ihl * 4;
}

static __always_inline bool ip_is_multicast(__be32 address)
{
	return (address & htonl(0xf0000000)) == htonl(0xe0000000);
}

/* The length of an option: 1 for IPOPT_END and IPOPT_NOOP; 0 if it is malformed, with no length byte, a length below 2, or an end
 * beyond `end`. A loop over options takes at most 40 steps, since a header has at most 40 bytes of options.
 */
static inline __u32 ip_option_length(const __u8 *option, const __u8 *end)
{
	if (*option == IPOPT_END || *option == IPOPT_NOOP)
		return 1;
	if (end - option < 2 || option[1] < 2 || option[1] > end - option)
		return 0;
	return option[1];
}
