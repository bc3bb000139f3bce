/* Frames in several parts, for XDP programs that are loaded as xdp.frags: part of xdp.h.
 *
 * A device with a large MTU receives a frame into several buffers. A program can access the first, the linear part; the others only
 * by helpers. If an element asks for bytes beyond the linear part, its result is discarded and the runtime runs the element again.
 * It must not have counted the packet by then, so the kernel path takes only frames whose linear part has all headers that elements
 * read before they count (LINEAR_LEAST). Checksums are computed over all buffers.
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

/* Whether multi-buffer frames can be redirected to a device; otherwise the runtime sends them. */
static __always_inline bool device_takes_parts(__u32 device);

#define pkt_can_leave_by(p, device) (pkt_can_leave(p) && (!pkt_is_partial(p) || device_takes_parts(device)))

/* Bytes to sum at a time, and in all. */
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

/* The folded sum of `length` bytes at offset `start` as 16-bit words; -1 if the frame ends before. A global function, so that the
 * verifier checks it once, and not at each call.
 */
__attribute__((noinline)) int frame_sum(struct CONTEXT *ctx, __u32 start, __u32 length)
{
	__u32 zero = 0, n, sum = 0;
	struct summed *s = bpf_map_lookup_elem(&summed, &zero);

	keep_apart();
	if (!s || length > SUMMED_MOST)
		return -1;
	/* Keep clang from dropping the comparison with the constant: Linux 6.1's verifier finds the end of the loop by it. */
	asm volatile("" : "+r"(length));
	for (__u32 at = 0; at < SUMMED_MOST && at < length; at += SUMMED_AT_ONCE) {
		n = length - at;
		if (n < SUMMED_AT_ONCE)
			__builtin_memset(s, 0, sizeof(*s));
		else
			n = SUMMED_AT_ONCE;
		/* Linux 6.1's verifier gets the range of n, at least 1, from a mask only. */
		asm volatile("" : "+r"(n));
		n = ((n - 1) & (SUMMED_AT_ONCE - 1)) + 1;
		if (bpf_xdp_load_bytes(ctx, start + at, s->bytes, n))
			return -1;
		sum = bpf_csum_diff(NULL, 0, (__be32 *)s->bytes, SUMMED_AT_ONCE, sum);
	}
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}
