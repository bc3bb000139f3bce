/* TCP's options, in the kernel path and in the runtime: reading those of a SYN, writing an answer's, and changing the numbers in those of
 * a segment.
 */
#pragma once

#include "ip/sum.h"
#include "ip/transport.h"

#define TCP_OPTIONS 40		/* the most bytes of options, and so the most options */
#define TCP_OPTION_WORDS 5	/* the most words of a struct tcp_options */
#define TCP_UNSCALED 15		/* a window scale for none: the largest is 14 (RFC 7323, 2.3) */

/* What SYNs agree on, and timestamps. */
struct tcp_options {
	__u32 stamp, echo;	/* if is_stamped */
	__u16 mss;		/* or 0 */
	__u8 scale;		/* of windows, or TCP_UNSCALED */
	bool is_stamped, has_sack;
};

/* What to add to timestamps, echoed timestamps, and selectively acknowledged sequence numbers. */
struct tcp_option_changes {
	__u32 stamp, echo, sack;
};

#if USERSPACE
#define tcp_first_option(header) ((__u32)sizeof(struct tcp_header))
#else
/* Where options begin, in a way that the verifier doesn't know: otherwise it would check the loops below once for each place where an
 * option may be.
 */
#define tcp_first_option(header) ((__u32)sizeof(struct tcp_header) + (sum_hidden_zero(header) & 63))
#endif

/* The length and kind of the option `at` bytes into a TCP header of `header` bytes; 0 at the options' end, or if it is malformed. */
static __always_inline __u32 tcp_option(struct pkt *p, __u32 start, __u32 at, __u32 header, __u32 *kind)
{
	const __u8 *first = at < header ? pkt_data(p, start + at, 1) : NULL;
	const __u8 *second = at + 1 < header ? pkt_data(p, start + at + 1, 1) : NULL;
	const __u32 length = second ? *second : 0;

	*kind = first ? *first : TCP_OPTION_END;
	if (*kind == TCP_OPTION_END)
		return 0;
	if (*kind == TCP_OPTION_NOP)
		return 1;
	return length >= 2 && length <= header - at ? length : 0;
}

static __always_inline void tcp_option_take(struct pkt *p, __u32 data, __u32 kind, __u32 length, struct tcp_options *o)
{
	const __u8 *at;

	if (kind == TCP_OPTION_SACK_PERMITTED && length == 2)
		o->has_sack = true;
	if (kind == TCP_OPTION_WINDOW_SCALE && length == 3 && (at = pkt_data(p, data, 1)))
		o->scale = *at < TCP_UNSCALED ? *at : TCP_UNSCALED - 1;
	if (kind == TCP_OPTION_MSS && length == 4 && (at = pkt_data(p, data, 2)))
		o->mss = ntohs(word16(at));
	if (kind == TCP_OPTION_TIMESTAMPS && length == 10 && (at = pkt_data(p, data, 8))) {
		o->is_stamped = true;
		o->stamp = ntohl(word32(at));
		o->echo = ntohl(word32(at + 4));
	}
}

/* Read the options of a TCP header of `header` bytes, `start` from the packet's current start. They may come in any order (RFC 9293,
 * 3.1).
 */
static __always_inline struct tcp_options tcp_options_in(struct pkt *p, __u32 start, __u32 header)
{
	struct tcp_options o = {.scale = TCP_UNSCALED};
	__u32 at = tcp_first_option(header), length, kind;

#pragma clang loop unroll(disable)
	for (int i = 0; i < TCP_OPTIONS && (length = tcp_option(p, start, at, header, &kind)); i++) {
		tcp_option_take(p, start + at + 2, kind, length, &o);
		at = (at + length) & 63;	/* no header is longer */
	}
	return o;
}

/* Add to the number `at` bytes into a TCP header; what this adds to the sum of the header's words. */
static __always_inline __u64 tcp_number_add(struct pkt *p, __u32 start, __u32 at, __u32 by)
{
	__u8 *number = pkt_data(p, start + at, sizeof(__u32));
	__u16 change;
	__be32 was;

	if (!number)
		return 0;
	was = word32(number);
	word32(number) = htonl(ntohl(was) + by);
	change = checksum_fold((__u64)(__u32)~was + word32(number));
	/* At an odd offset, the bytes are swapped with respect to the sum's words (RFC 1071, 2). */
	return at & 1 ? __builtin_bswap16(change) : change;
}

/* Change a header's options; what this adds to the sum of the header's words. */
static __always_inline __u64 tcp_options_changed(struct pkt *p, __u32 start, __u32 header, const struct tcp_option_changes *by)
{
	__u32 at = tcp_first_option(header), numbers = at - sizeof(struct tcp_header), length, kind;
	__u64 sum = 0;

#pragma clang loop unroll(disable)
	for (int i = 0; i < TCP_OPTIONS; i++) {
		if (numbers) {	/* of selective acknowledgements that are still to come */
			sum += tcp_number_add(p, start, at, by->sack);
			length = sizeof(__u32);
			numbers--;
		} else {
			length = tcp_option(p, start, at, header, &kind);
			if (!length)
				break;
			if (kind == TCP_OPTION_TIMESTAMPS && length == 10) {
				sum += tcp_number_add(p, start, at + 2, by->stamp);
				sum += tcp_number_add(p, start, at + 6, by->echo);
			}
			if (kind == TCP_OPTION_SACK && length % 8 == 2) {
				numbers = length / 4;
				length = 2;
			}
		}
		at = (at + length) & 63;
		numbers &= 15;
	}
	return sum;
}

#if USERSPACE
#define tcp_options_read tcp_options_in
#define tcp_options_change tcp_options_changed
#else
/* Inlined, each option would multiply the paths to verify: the verifier checks a global function once, by itself. Its arguments and
 * result are plain numbers, so what a SYN echoes isn't read: no SYN echoes anything.
 */
union tcp_options_packed {
	__u64 number;
	struct {
		__u64 stamp : 32, mss : 16, scale : 4, is_stamped : 1, has_sack : 1;
	};
};

__attribute__((noinline)) __u64 tcp_options_apart(struct CONTEXT *ctx, __u32 start, __u32 header)
{
	struct pkt frame = {.ctx = ctx};
	struct tcp_options o;

	pkt_load(&frame);
	o = tcp_options_in(&frame, start, header);
	return (union tcp_options_packed){.stamp = o.stamp, .mss = o.mss, .scale = o.scale, .is_stamped = o.is_stamped,
					  .has_sack = o.has_sack}.number;
}

static __always_inline struct tcp_options tcp_options_read(struct pkt *p, __u32 start, __u32 header)
{
	const union tcp_options_packed o = {.number = tcp_options_apart(p->ctx, p->off + start, header)};

	return (struct tcp_options){.stamp = o.stamp, .mss = o.mss, .scale = o.scale, .is_stamped = o.is_stamped, .has_sack = o.has_sack};
}

/* `place`: the start of the header in the frame, and above that its length. */
__attribute__((noinline)) __u64 tcp_options_changed_apart(struct CONTEXT *ctx, __u32 place, __u32 stamp, __u32 echo, __u32 sack)
{
	const struct tcp_option_changes by = {.stamp = stamp, .echo = echo, .sack = sack};
	struct pkt frame = {.ctx = ctx};

	pkt_load(&frame);
	return tcp_options_changed(&frame, place & 0xffff, place >> 16, &by);
}

static __always_inline __u64 tcp_options_change(struct pkt *p, __u32 start, __u32 header, const struct tcp_option_changes *by)
{
	return tcp_options_changed_apart(p->ctx, header << 16 | (p->off + start), by->stamp, by->echo, by->sack);
}
#endif

/* Write the options of a SYN, or of another segment (without a maximum segment size) that has timestamps. Only with timestamps is there
 * more than a SYN's maximum segment size. The number of words.
 */
static __always_inline __u32 tcp_options_write(__be32 to[TCP_OPTION_WORDS], const struct tcp_options *o)
{
	__u32 n = 0;

	if (o->mss)
		to[n++] = htonl((__u32)TCP_OPTION_MSS << 24 | 4 << 16 | o->mss);
	if (!o->is_stamped)
		return n;
	to[n++] = o->has_sack ? htonl((__u32)TCP_OPTION_SACK_PERMITTED << 24 | 2 << 16 | TCP_OPTION_TIMESTAMPS << 8 | 10)
			      : htonl((__u32)TCP_OPTION_NOP << 24 | TCP_OPTION_NOP << 16 | TCP_OPTION_TIMESTAMPS << 8 | 10);
	to[n++] = htonl(o->stamp);
	to[n++] = htonl(o->echo);
	if (o->mss && o->scale != TCP_UNSCALED)
		to[n++] = htonl((__u32)TCP_OPTION_NOP << 24 | TCP_OPTION_WINDOW_SCALE << 16 | 3 << 8 | o->scale);
	return n;
}
