/* Tracing: a kernel path built for it copies packets into a ring buffer at each input that they come to and where they leave.
 *
 * trace_filter() and trace_filter_l3(), which the generated text defines after this file, select packets where they come in; such a packet
 * has a number after its annotations, which every handover carries. While half of the ring is full no further packet is traced, so that
 * the others can be reported to their ends. Between two reports of a packet lie an element's work and one reading of the clock, which
 * `spent` has; before the first report there is only the latter. The generated text before this file defines
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
	__u64 packets;	/* that were wanted */
	__u64 passed;	/* how many of these found no room */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct traced);
} traced SEC(".maps");

/* Which trace this is, 7 bits, and how many packets are to be traced at most; set by the loader. */
const volatile __u32 trace_number = 1, trace_most = TRACED_COUNT - 1;

/* Whether libpcap's filter takes the frame. */
static __attribute__((noinline)) __u32 trace_filter(struct CONTEXT *ctx);
#ifdef HOOK_TC
static __attribute__((noinline)) __u32 trace_filter_l3(struct CONTEXT *ctx);	/* the same for packets of L3 devices */
#else
#define trace_filter_l3(ctx) 0
#endif

/* The number of a packet that comes in, on an L3 device or not, or TRACED_UNWANTED. */
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

/* Report an event; `event` has the detail above its kind. Out of line, since every input calls it. */
static __attribute__((noinline)) int trace_copy(struct CONTEXT *ctx, const struct crossing *record, __u32 length, __u32 device,
						__u32 event)
{
	return copy_packet(&traces, BPF_RB_NO_WAKEUP, ctx, record, length, length < MOST_COPIED ? length : MOST_COPIED, device, event);
}

/* The element's work ends here, even if the packet is reported in another program only: jumps are no element's. */
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

/* A packet that could not be handed over: its bytes were reported before. */
static __always_inline void trace_lost(struct CONTEXT *ctx, const struct crossing *record, __u32 device, __u32 reason)
{
	__u32 number;

	__builtin_memcpy(&number, record->anno + TRACE_CARRIED, sizeof(number));
	if (TRACE_ENDS && (number & TRACED_COUNT) != TRACED_UNWANTED)
		trace_copy(ctx, record, 0, device, TRACED_DROP | reason << 8);
}
