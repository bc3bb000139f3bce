/* Tracing: a kernel path built with it copies traced packets into a ring buffer at every input, and where they leave.
 *
 * trace_filter() and trace_filter_l3(), defined by the generated text after this file, select packets on arrival. A traced packet
 * gets a number, next to its annotations, that crosses with it to the runtime. While the ring is half full no further packet is
 * selected, so that those under way can be reported to the end. `spent` is the time between two reports, that is an element's work
 * and one reading of the clock; for the first report only the latter. The generated text before this file defines
 *
 *	TRACES_SIZE	bytes of the ring buffer
 *	TRACE_ENDS	whether the ends of packets are reported
 *	TRACE_CARRIED	where among the annotations of a handover record the number is
 */
#pragma once

#include "copied.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, TRACES_SIZE);
} traces SEC(".maps");

struct traced {
	__u64 packets;	/* selected */
	__u64 passed;	/* not selected, for lack of room */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct traced);
} traced SEC(".maps");

/* The number of this trace, 7 bits, and the most packets to trace. Set by the loader. */
const volatile __u32 trace_number = 1, trace_most = TRACED_COUNT - 1;

/* Whether the frame matches the libpcap filter. */
static __attribute__((noinline)) __u32 trace_filter(struct CONTEXT *ctx);
#ifdef HOOK_TC
static __attribute__((noinline)) __u32 trace_filter_l3(struct CONTEXT *ctx);	/* for packets of L3 devices */
#else
#define trace_filter_l3(ctx) 0
#endif

/* The number for a packet that comes in, or TRACED_UNWANTED. */
static __attribute__((noinline)) __u32 trace_ask(struct CONTEXT *ctx, bool l3)
{
	__u32 zero = 0;
	struct traced *t;
	__u64 n;

	if (l3 ? !trace_filter_l3(ctx) : !trace_filter(ctx))
		return TRACED_UNWANTED;
	t = bpf_map_lookup_elem(&traced, &zero);
	keep_apart();
	if (!t)
		return TRACED_UNWANTED;
	if (bpf_ringbuf_query(&traces, BPF_RB_AVAIL_DATA) > TRACES_SIZE / 2) {
		__sync_fetch_and_add(&t->passed, 1);
		return TRACED_UNWANTED;
	}
	n = __sync_fetch_and_add(&t->packets, 1);
	return n < trace_most ? n : TRACED_UNWANTED;
}

static __always_inline void trace_arrive(struct pkt *p)
{
	__u32 number = trace_ask(p->ctx, device_is_l3(p->device));

	p->traced = number != TRACED_UNWANTED;
	p->trace = trace_number << 24 | number;
	p->since = now();
}

/* Report an event: the kind in the low 8 bits, the detail above. Out of line because every input calls it. */
static __attribute__((noinline)) int trace_copy(struct CONTEXT *ctx, const struct crossing *record, __u32 length, __u32 device,
						__u32 event)
{
	return copy_packet(&traces, BPF_RB_NO_WAKEUP, ctx, record, length, length < MOST_COPIED ? length : MOST_COPIED, device, event);
}

/* Stop the element's clock before a tail call, whose time belongs to no element, though the next report is made in the other
 * program.
 */
static __always_inline void trace_leap(struct pkt *p)
{
	if (p->traced && p->since)
		p->spent = now() - p->since;
	p->since = 0;
}

static __always_inline void trace_packet(struct pkt *p, __u32 element, __u32 port, __u32 event, __u32 detail)
{
	struct crossing record = {};

	if (likely(!p->traced) || (event != TRACED_INPUT && !TRACE_ENDS))
		return;
	trace_leap(p);
	record_packet(&record, p, element, port);
	trace_copy(p->ctx, &record, p->size, p->device, event | detail << 8);
	p->since = now();
}

/* Report a packet that could not be handed over. Its bytes have been reported before. */
static __always_inline void trace_lost(struct CONTEXT *ctx, const struct crossing *record, __u32 device, __u32 reason)
{
	__u32 number;

	__builtin_memcpy(&number, record->anno + TRACE_CARRIED, sizeof(number));
	if (TRACE_ENDS && (number & TRACED_COUNT) != TRACED_UNWANTED)
		trace_copy(ctx, record, 0, device, TRACED_DROP | reason << 8);
}
