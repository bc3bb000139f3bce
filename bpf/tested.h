/* For tests: records where a packet went and at which PUNT it was given up, and reads simulated time. All of this is empty in other
 * objects. In tests, the generated text before this file defines
 *
 *	TRACING		that a test learns where a packet went
 *	SIMULATED_TIME	that a test says what time it is
 */
#pragma once

#include "packet.h"

#ifdef TRACING
#define tracing true
#else
#define tracing false
#endif

enum trace_verdict { TRACE_NONE, TRACE_SENT, TRACE_HOST, TRACE_HANDED, TRACE_DROPPED, TRACE_COPIED };

#define TRACE_CLONE 4096

struct trace {
	__u32 verdict;
	__u32 device;		/* for TRACE_COPIED, the number of the set of devices */
	__u32 punt;	/* written by trace_punt() only */
	__u64 clock;		/* simulated time, ns */
#ifdef TRACING
	__u64 cloned;		/* devices that clones of the packet left by, one bit each, ... */
	__u32 length;
	__u8 clone[TRACE_CLONE];	/* ... all with these bytes */
#endif
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct trace);
} trace SEC(".maps");

static __always_inline void trace_exit(__u32 verdict, __u32 device)
{
	__u32 zero = 0;
	struct trace *t;

	if (!tracing)
		return;
	t = bpf_map_lookup_elem(&trace, &zero);
	keep_apart();
	if (t) {
		t->verdict = verdict;
		t->device = device;
	}
}

#if defined(TRACING) && defined(HOOK_TC)
/* Record that a clone of the frame, of `size` bytes, leaves by a device. */
static __attribute__((noinline)) int trace_clone(struct CONTEXT *ctx, __u32 size, __u32 device)
{
	__u32 zero = 0, n = size;
	struct trace *t = bpf_map_lookup_elem(&trace, &zero);

	keep_apart();
	if (!t || !n)
		return 0;
	t->cloned |= 1ull << device;
	t->length = size;
	asm volatile("" : "+r"(n));
	n = ((n - 1) & (TRACE_CLONE - 1)) + 1;
	return frame_copy(ctx, t->clone, n);
}
#else
#define trace_clone(ctx, size, device) ((void)0)
#endif

/* Replaces PUNT in tests (testing/sites.py): records which of an element's PUNTs, from 1 on, was reached. */
static __always_inline int trace_punt(__u32 number)
{
	__u32 zero = 0;
	struct trace *t;

	t = bpf_map_lookup_elem(&trace, &zero);
	keep_apart();
	if (t)
		t->punt = number;
	return -1;
}

#ifdef SIMULATED_TIME
static __always_inline __u64 now(void)
{
	__u32 zero = 0;
	const struct trace *t = bpf_map_lookup_elem(&trace, &zero);

	keep_apart();
	return t ? t->clock : 0;
}
#endif
