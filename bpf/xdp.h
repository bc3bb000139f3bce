/* The hook's part of the packet interface (packet.h): the frame of an XDP program, in one buffer unless the program is loaded as
 * xdp.frags (FRAGS).
 */
#pragma once

#ifdef FRAGS
#include "frags.h"
#else
/* An XDP frame is one packet, and all of its bytes are accessible. */
#define frame_size(ctx, linear) (linear)
#define pkt_is_partial(p) false
#define pkt_is_readable(p) true
#define pkt_note_unseen(p, end) ((void)0)
#define pkt_is_unseen(p) false
#define pkt_can_leave_by(p, device) pkt_can_leave(p)
#endif

/* Read data and data_end once, as 64-bit values: the verifier refuses arithmetic on the context's 32-bit fields. The size is made
 * opaque to keep clang from turning comparisons with it back into comparisons of pointers with unbounded offsets. The bound lets
 * clang compare lengths without subtracting headers first.
 */
static __always_inline void pkt_load(struct pkt *p)
{
	long data, end, size;

	asm volatile("%0 = *(u32 *)(%2 + 0)\n\t"
		     "%1 = *(u32 *)(%2 + 4)"
		     : "=&r"(data), "=r"(end)
		     : "r"(p->ctx));
	__builtin_assume(data);
	p->data = (void *)data;
	p->end = (void *)end;
	size = frame_size(p->ctx, end - data);
	asm("" : "+r"(size));
	__builtin_assume(size >= 0 && size <= 0xffffff);
	p->size = size;
	p->known = 0;
}

/* Remove `delta` bytes at the frame's start, or add bytes if it is negative. */
#define frame_move_start(p, delta) (!bpf_xdp_adjust_head((p)->ctx, delta))
#define frame_note_moved(p, delta) ((void)0)

/* Remove the last `n` bytes of a frame of `size` bytes. */
static __always_inline bool frame_cut(struct CONTEXT *ctx, long size, int n)
{
	return !bpf_xdp_adjust_tail(ctx, -n);
}

/* Take the packet's last `n` bytes from the frame at once, which is cheaper than to remember what pkt_settle() is to cut. */
static __always_inline bool pkt_cut_frame(struct pkt *p, __u32 n)
{
	bool done = frame_cut(p->ctx, p->size, n);

	keep_apart();
	pkt_load(p);
	return done;
}

/* Whether the packet can be sent or given to Linux: XDP frames have at least an Ethernet header. */
#define pkt_can_leave(p) pkt_data(p, 0, ETH_HLEN)

/* XDP frames have no offloads. */
#define pkt_is_offloaded(p) false

/* Copy the frame's first `n` bytes, at least one; 0, or -errno if there are fewer. */
#define frame_copy(ctx, to, n) bpf_xdp_load_bytes(ctx, 0, to, n)

/* A frame is always one packet. */
#define joined_move(joined, delta) ((void)0)
#define frame_packets(ctx) 1
#define pkt_packets(p) 1
#define pkt_bytes(p) pkt_len(p)
#define pkt_longest(p) pkt_len(p)
