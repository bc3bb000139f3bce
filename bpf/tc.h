/* The hook's part of the packet interface (packet.h): the frame of a TC program, a socket buffer.
 *
 * Programs can access only the linear part of a socket buffer; the rest is in other pages. On arrival (exits_tc.h) a packet is made
 * linear as a whole. The exception is a TCP packet of up to 64 kB that GRO or GSO has joined: only its headers are made linear, and
 * only elements of classes with the trait BEARS_OFFLOADS get it.
 */
#pragma once

/* The start and end of the linear part, read by inline asm, as in xdp.h. */
#define frame_bounds(ctx, first, last)                                                                                     \
	asm volatile("%0 = *(u32 *)(%2 + %3)\n\t"                                                                         \
		     "%1 = *(u32 *)(%2 + %4)"                                                                              \
		     : "=&r"(first), "=r"(last)                                                                           \
		     : "r"(ctx), "i"(__builtin_offsetof(struct __sk_buff, data)),                                         \
		       "i"(__builtin_offsetof(struct __sk_buff, data_end)))

#define frame_size(ctx, linear) ((ctx)->len)

static __always_inline void pkt_load(struct pkt *p)
{
	long size;

	frame_bounds(p->ctx, p->data, p->end);
	asm volatile("%0 = *(u32 *)(%1 + 0)" : "=r"(size) : "r"(p->ctx));
	p->size = size;
	p->known = 0;
}

/* A buffer to move bytes of a frame. Too large for the stack, of which a program may already use 448 of 512 bytes. */
#define MOVED_AT_ONCE 2048
#define LARGEST_FRAME 65536

struct moved {
	__u8 bytes[MOVED_AT_ONCE];
	__u32 gap, rest;	/* bytes to remove at the frame's start, and bytes after them */
	__u32 failed;
};

GLOBALS
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct moved);
} moved SEC(".maps");
FUNCTIONS

/* The most VLAN tags that are put back into a frame on arrival; a packet with more is dropped. */
#define MOST_TAGS 4
/* The longest link header. */
#define LINK_HEADER (ETH_HLEN + MOST_TAGS * 4)

static __always_inline struct moved *what_moves(void)
{
	__u32 zero = 0;
	struct moved *m = bpf_map_lookup_elem(&moved, &zero);

	keep_apart();
	return m;
}

/* Remove bytes from the start of an IP packet's frame. bpf_skb_adjust_room() removes them after the link header (of at most
 * LINK_HEADER bytes), so the frame's new first bytes are saved before, and written over the link header.
 */
static __always_inline bool frame_take_ip(struct CONTEXT *ctx, __u32 gap, struct moved *m)
{
	return !bpf_skb_load_bytes(ctx, gap, m->bytes, LINK_HEADER) &&
	       !bpf_skb_adjust_room(ctx, -(int)gap, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_FIXED_GSO) &&
	       !bpf_skb_store_bytes(ctx, 0, m->bytes, LINK_HEADER, 0);
}

/* Callback of bpf_loop(): move the next bytes. Nonzero ends the loop, at the end of the frame or on failure. */
static long frame_move_some(__u32 number, struct CONTEXT **ctx)
{
	struct moved *m = what_moves();
	__u32 at = number * MOVED_AT_ONCE, n;

	if (!m)
		return 1;
	n = m->rest - at;
	if (n > MOVED_AT_ONCE)
		n = MOVED_AT_ONCE;
	/* Linux 6.1's verifier gets the range of n, at least 1, from a mask only. */
	asm volatile("" : "+r"(n));
	n = ((n - 1) & (MOVED_AT_ONCE - 1)) + 1;
	m->failed = bpf_skb_load_bytes(*ctx, m->gap + at, m->bytes, n) || bpf_skb_store_bytes(*ctx, at, m->bytes, n, 0);
	return m->failed || at + n >= m->rest;
}

/* Remove bytes from the start of any frame. The kernel has a helper for IP packets only (frame_take_ip()); for others, move the
 * rest of the frame forward and cut its end. (Cutting can fail for tunnelled packets: the kernel doesn't cut before the transport
 * header, which may be far inside.) Not for frames with offloads: the kernel would start their checksums at the wrong offset.
 * `link` is the length of skb's link header. A global function, so that the verifier checks it once, and not at each call.
 */
__attribute__((noinline)) int frame_take_start(struct CONTEXT *ctx, __u32 gap, __u32 link)
{
	struct moved *m = what_moves();

	if (!m || gap >= ctx->len || ctx->len > LARGEST_FRAME)
		return 0;
	if (link <= LINK_HEADER && frame_take_ip(ctx, gap, m))
		return 1;
	m->gap = gap;
	m->rest = ctx->len - gap;
	if (bpf_loop(LARGEST_FRAME / MOVED_AT_ONCE, frame_move_some, &ctx, 0) < 0)
		return 0;
	return !m->failed && !bpf_skb_change_tail(ctx, m->rest, 0);
}

static __always_inline bool frame_move_start(struct pkt *p, int delta)
{
	return delta < 0 ? !bpf_skb_change_head(p->ctx, -delta, 0) : frame_take_start(p->ctx, delta, p->link);
}

/* Bytes added in front extend skb's link header; bytes removed come from after it. */
static __always_inline void frame_note_moved(struct pkt *p, int delta)
{
	if (delta < 0)
		p->link -= delta;
}

/* The most bytes that a packet may have before skb's network header when it leaves by an L3 device. */
#define MOST_OPENED 64

/* Grow the frame so that the packet, now at `start`, begins at `link`. For IP packets without offloads only. */
__attribute__((noinline)) int frame_open(struct CONTEXT *ctx, __u32 start, __u32 link)
{
	__u8 head[MOST_OPENED];
	__u32 n = link - start;

	if (n - 1 >= MOST_OPENED)
		return 0;
	/* As in frame_take_start(). */
	asm volatile("" : "+r"(n));
	n = ((n - 1) & (MOST_OPENED - 1)) + 1;
	return !bpf_skb_load_bytes(ctx, start, head, n) && !bpf_skb_adjust_room(ctx, n, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_FIXED_GSO) &&
	       !bpf_skb_store_bytes(ctx, link, head, n, 0);
}

static __always_inline bool frame_cut(struct CONTEXT *ctx, long size, int n)
{
	return !bpf_skb_change_tail(ctx, size - n, 0);
}

/* Cutting a socket buffer isn't cheap: it is done once, when the packet leaves. */
#define pkt_cut_frame(p, n) false

/* The shortest frame to cut: bpf_skb_change_tail() doesn't cut before the transport header. */
#define SHORTEST_CUT (ETH_HLEN + 40)

/* A packet can leave later if fq on its device has room for it (fq_room, exits.h). bpf_skb_set_tstamp() takes IP packets only. */
#define pkt_can_leave_later(p, device, most, ns)                                             \
	((most) <= fq_room[device].packets && (ns) <= fq_room[device].horizon &&           \
	 ((p)->ctx->protocol == htons(ETH_P_IP) || (p)->ctx->protocol == htons(ETH_P_IPV6)))
#define pkt_leave_at(p, time) ((void)bpf_skb_set_tstamp((p)->ctx, time, BPF_SKB_TSTAMP_DELIVERY_MONO))

/* As in xdp.h. */
#define frame_copy(ctx, to, n) bpf_skb_load_bytes(ctx, 0, to, n)

/* Note that an element has asked for bytes of the packet outside the linear part: its result is discarded. */
#define pkt_note_unseen(p, end) ((p)->unseen |= (long)(end) <= (p)->size - (p)->trim)
#define pkt_is_partial(p) ((p)->joined.more)
#define pkt_is_unseen(p) (pkt_is_partial(p) && (p)->unseen)

/* The number of packets that the kernel sends for a frame: a GSO packet is segmented. Not everything that makes GSO packets sets
 * gso_segs.
 */
static __always_inline __u32 frame_packets(struct CONTEXT *ctx)
{
	return ctx->gso_size ? ctx->gso_segs ?: ctx->len / ctx->gso_size + 1 : 1;
}

#define joined_move(joined, delta) ((void)((joined)->payload -= (delta)))
#define pkt_packets(p) (1 + (p)->joined.more)

static __always_inline __u64 pkt_bytes(struct pkt *p)
{
	return pkt_len(p) + (__u64)p->joined.more * (p->joined.payload - p->off);
}

static __always_inline __u32 pkt_longest(struct pkt *p)
{
	return p->joined.more ? p->joined.payload - p->off + p->joined.each : pkt_len(p);
}
