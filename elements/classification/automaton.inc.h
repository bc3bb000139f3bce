/* Runs the automaton of _automaton.py, the state `states`, over a packet. No include guard: the text is compiled for each instance.
 *
 * The including file defines SELF(ENOUGH): after a match of a text with at most this number, the rest of the packet is skipped.
 */

struct SELF(scan) {
#if !USERSPACE
	struct CONTEXT *ctx;
	__u32 start, end;	/* of the packet in its frame */
#endif
	__u32 state, found;
};

/* Advance by a byte; true if the rest can be skipped. */
static __always_inline bool SELF(take)(struct SELF(scan) *scan, __u8 byte)
{
	const struct SELF(states) *state = at(states, scan->state);

	if (!state)
		return true;
	scan->state = state->next[byte];
	if (likely(scan->state < cfg.silent))
		return false;
	state = at(states, scan->state);
	if (state && (!scan->found || state->found < scan->found))
		scan->found = state->found;
	return scan->found <= SELF(ENOUGH);
}

#if USERSPACE

/* The number, from 1, of the first text found in the packet, or 0. */
static __u32 SELF(search)(struct pkt *p)
{
	struct SELF(scan) scan = {};
	const __u8 *bytes = p->data;

	for (__u32 i = 0; i < pkt_len(p); i++)
		if (SELF(take)(&scan, bytes[i]))
			break;
	return scan.found;
}

#else

/* Bytes in one iteration of the kernel's loop. */
#define SCAN_AT_ONCE 8

/* Callback of bpf_loop(): advance by the next bytes; nonzero after the last. The offset is computed from the iteration's number, so
 * that the verifier needs to check only one iteration.
 */
static long SELF(scan_some)(__u32 number, struct SELF(scan) *scan)
{
	struct pkt frame = { .ctx = scan->ctx };
	const __u32 start = scan->start + number * SCAN_AT_ONCE;
	const __u8 *byte;

	pkt_load(&frame);
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < SCAN_AT_ONCE; i++) {
		byte = start + i < scan->end ? pkt_frame_at(&frame, start + i, 1) : NULL;
		if (!byte || SELF(take)(scan, *byte))
			return 1;
	}
	return 0;
}

/* A global function, so that the verifier checks it once, and not at each call. */
__attribute__((noinline)) __u32 SELF(scan_frame)(struct CONTEXT *ctx, __u32 start, __u32 end)
{
	struct SELF(scan) scan = { .ctx = ctx, .start = start, .end = end };

	if (start > end || end > MAX_OFFSET + 1)
		return 0;
	bpf_loop((end - start) / SCAN_AT_ONCE + 1, SELF(scan_some), &scan, 0);
	return scan.found;
}

static __always_inline __u32 SELF(search)(struct pkt *p)
{
	return SELF(scan_frame)(p->ctx, p->off, p->off + pkt_len(p));
}
#undef SCAN_AT_ONCE
#endif

/* Whether part of the packet is outside the linear part. */
static __always_inline UNUSED bool SELF(is_beyond)(struct pkt *p)
{
	return !USERSPACE && pkt_len(p) && !pkt_data(p, pkt_len(p) - 1, 1);
}
