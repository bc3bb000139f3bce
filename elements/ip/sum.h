/* Sums of a variable number of bytes, for both executors. Offsets count from the packet's current start. */
#pragma once

#include "ip/ip.h"

/* The most bytes that the kernel path sums: more than any single-buffer frame, or than a jumbo frame. One less than a power of two. */
#if defined(HOOK_TC) || defined(FRAGS)
#define SUM_MOST 16383u
#else
#define SUM_MOST (USERSPACE ? 0xffffffffu : 4095u)
#endif

#if USERSPACE
static inline bool sum_bytes(struct pkt *p, int offset, __u32 length, __u64 *sum)
{
	const void *bytes = pkt_data(p, offset, length);

	if (bytes)
		*sum += (__u16)~checksum(bytes, length);
	return bytes;
}
#else
/* The most that bpf_csum_diff() takes at once everywhere. */
#define SUM_PIECE 512

static __always_inline bool sum_piece(struct pkt *p, int offset, const __u32 size, __u64 *sum)
{
	void *piece = pkt_data(p, offset, size);

	if (!piece)
		return false;
	*sum += (__u32)bpf_csum_diff(NULL, 0, piece, size, 0);
	return true;
}

static __always_inline bool sum_tail(struct pkt *p, int end, __u32 length, __u64 *sum)
{
	if (length & 2) {
		const void *word = pkt_data(p, end - (length & 3), 2);

		if (!word)
			return false;
		*sum += word16(word);
	}
	if (length & 1) {
		const __u8 *byte = pkt_data(p, end - 1, 1);

		if (!byte)
			return false;
		*sum += *byte;
	}
	return true;
}

/* A zero that the verifier doesn't know. Added to an offset, it keeps the verifier from deriving the packet's length from the
 * number of pieces, and from checking the following code once for each number.
 */
static __always_inline __u32 sum_hidden_zero(__u32 length)
{
	__u32 zero = length;

	asm volatile("%0 -= %1\n\t%0 &= %2" : "+r"(zero) : "r"(length), "i"(SUM_MOST));
	return zero;
}

#ifdef FRAGS
/* The same for bytes outside the frame's linear part. */
static __always_inline bool sum_parts(struct pkt *p, int start, __u32 length, __u64 *sum)
{
	int summed = start + (long)length <= p->size - p->trim ? frame_sum(p->ctx, start, length) : -1;

	if (summed >= 0)
		*sum += summed;
	return summed >= 0;
}
#endif

/* bpf_csum_diff() needs constant sizes here: sum whole pieces, then one piece for each bit of the remaining length. Each piece's
 * offset is computed from the length alone, so that the verifier needn't check all combinations of pieces.
 */
static __always_inline bool sum_bytes(struct pkt *p, int offset, __u32 length, __u64 *sum)
{
	if (length > SUM_MOST)
		return false;
#ifdef FRAGS
	if (p->off + offset + (long)length > pkt_linear(p))
		return sum_parts(p, p->off + offset, length, sum);
#endif
	/* If clang knew that the bytes end at the packet's end, it would omit checks that the verifier requires. The verifier, in
	 * turn, mustn't learn the bits of the packet's length: with two sums in a program it would check all their combinations.
	 */
	asm volatile("%0 &= %1" : "+r"(length) : "i"(SUM_MOST));
	const __u32 zero = sum_hidden_zero(length);
	/* The same length, but the verifier doesn't learn its number of whole pieces: Linux 6.1's would check the following code
	 * once for each number.
	 */
	const __u32 same = (length + zero) & SUM_MOST;

	offset += zero;
#pragma clang loop unroll(disable)
	for (__u32 at = 0; at < SUM_MOST / SUM_PIECE * SUM_PIECE; at += SUM_PIECE) {
		if (at + SUM_PIECE > length)
			break;
		if (!sum_piece(p, offset + (int)at, SUM_PIECE, sum))
			return false;
	}
#pragma clang loop unroll(full)
	for (__u32 size = SUM_PIECE / 2; size >= 4; size /= 2)
		if (same & size && !sum_piece(p, offset + (int)(same & ~(2 * size - 1)), size, sum))
			return false;
	return sum_tail(p, offset + (int)same, same, sum);
}
#endif

/* Sum an IP header of `length` bytes, at least 20, the first 20 of which are at `ip`. False if the packet is shorter. */
static __always_inline bool sum_ip_header(struct pkt *p, int offset, const struct iphdr *ip, __u32 length, __u64 *sum)
{
	if (length > sizeof(*ip))
		return sum_bytes(p, offset, length, sum);
	*sum += ip_sum20(ip);
	return true;
}
