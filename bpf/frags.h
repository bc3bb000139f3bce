/* Frames in several parts, for XDP programs that are loaded as xdp.frags: part of xdp.h.
 *
 * A device with a large MTU has a frame in several buffers. A program sees the first of them, the linear part; the others only
 * helpers read. An element that asks for bytes beyond the linear part gets none, its result is discarded, and the runtime goes on
 * with the packet from there. So that no element has counted anything by then, only frames come in whose linear part has all the
 * headers that elements look at before they count (LINEAR_LEAST); checksums are added up over all parts.
 */
#pragma once

/* Ethernet with tags, tunnels, the longest IPv4 header or IPv6 with some extension headers, TCP. */
#define LINEAR_LEAST 160

#define frame_size(ctx, linear) ((long)bpf_xdp_get_buff_len(ctx))

static __always_inline long pkt_linear(struct pkt *p)
{
	long linear = (long)p->end - (long)p->data;

	asm("" : "+r"(linear));
	return linear;
}

#define pkt_is_partial(p) (pkt_linear(p) < (p)->size)
#define pkt_is_readable(p) (pkt_linear(p) >= LINEAR_LEAST || !pkt_is_partial(p))
#define pkt_note_unseen(p, end) ((p)->unseen |= (long)(end) <= (p)->size - (p)->trim)
#define pkt_is_unseen(p) ((p)->unseen)

/* Whether frames in parts can be redirected to a device; otherwise the runtime sends them. */
static __always_inline bool device_takes_parts(__u32 device);

#define pkt_can_leave_by(p, device) (pkt_can_leave(p) && (!pkt_is_partial(p) || device_takes_parts(device)))

/* Bytes that are added up at a time, and at most. */
#define SUMMED_AT_ONCE 512
#define SUMMED_MOST 16384

struct summed {
	__u8 bytes[SUMMED_AT_ONCE];
};

GLOBALS
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct summed);
} summed SEC(".maps");
FUNCTIONS

/* The sum of `length` bytes at `start` from the frame's start as 16-bit words, which it is folded to; -1 if the frame ends before. Not static:
 * the verifier looks at it once, for all calls.
 */
__attribute__((noinline)) int frame_sum(struct CONTEXT *ctx, __u32 start, __u32 length)
{
	__u32 zero = 0, n, sum = 0;
	struct summed *s = bpf_map_lookup_elem(&summed, &zero);

	keep_apart();
	if (!s || length > SUMMED_MOST)
		return -1;
	/* Without this, clang leaves out the comparison with the constant, and the verifier of Linux 6.1 sees no end of the loop in the other
	 * one. */
	asm volatile("" : "+r"(length));
	for (__u32 at = 0; at < SUMMED_MOST && at < length; at += SUMMED_AT_ONCE) {
		n = length - at;
		if (n < SUMMED_AT_ONCE)
			__builtin_memset(s, 0, sizeof(*s));
		else
			n = SUMMED_AT_ONCE;
		/* A form that the verifier of Linux 6.1 recognises as a range, for n of at least 1. */
		asm volatile("" : "+r"(n));
		n = ((n - 1) & (SUMMED_AT_ONCE - 1)) + 1;
		if (bpf_xdp_load_bytes(ctx, start + at, s->bytes, n))
			return -1;
		sum = bpf_csum_diff(NULL, 0, (__be32 *)s->bytes, SUMMED_AT_ONCE, sum);
	}
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}
