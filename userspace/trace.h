/* Tracing: records packets at every element, as events that the host reads now and then.
 *
 * A kernel path built for tracing writes its events into a ring buffer (bpf/traced.h). The runtime's are written to memory, by
 * calls in the router's code that are switched on (switch.h). A packet created by the runtime, or not filtered by the kernel path,
 * is filtered at its first input.
 */
#pragma once

#include "drops.h"
#include "filter.h"
#include "pkt.h"
#include "router.h"
#include "traced_event.h"

struct runtime;
struct trace;

/* One event, followed by `copied` bytes of the frame, from the MAC header on if that is set, and zeros up to `size`. */
struct traced {
	__u32 size;		/* including what follows, a multiple of 8 */
	__u32 packet;		/* its number */
	__u64 time;		/* nanoseconds since 1970 */
	__u16 element;		/* index; 0xffff for packets that the runtime sends */
	__u8 port, event;	/* enum traced_event */
	__u32 detail;		/* depends on the event */
	__s32 mac, net, trans;	/* headers, from the frame's start; -1 if unset */
	__u32 off, trim;	/* bytes of the frame before the packet and after it */
	__u32 length, copied;	/* bytes of the frame, and how many follow: none if lost at a handover */
	__s16 device;		/* index of the device that it came from, or -1 */
	__u8 in_kernel, unused;
	/* Nanoseconds since the last report: in the runtime 0 unless of the same packet; in the kernel path including a reading of the clock
	 * (bpf/traced.h).
	 */
	__u32 spent;
	__u8 anno[ANNO_SIZE];
};

/* What to trace. A filter without rows matches everything; with `no_raw`, packets that begin with an IP header don't match.
 * `number`, 7 bits, distinguishes this trace from earlier ones. At most `most` of the runtime's own packets are traced.
 */
struct trace_settings {
	const struct filter_row *link, *raw;
	__u32 links, raws;
	bool no_raw;
	__u32 number, most;
	int ring;		/* descriptor of the kernel path's ring buffer, which stays the caller's, or -1 */
	__u32 ring_size;
};

/* Begin a trace, while the host holds all threads and there is no trace. NULL, with errno, on failure. */
EXPORT struct trace *runtime_trace(struct runtime *runtime, const struct trace_settings *settings);
/* Copy the complete events so far into `to`; returns their length. *missed is the number of runtime events lost for lack of room
 * since the last call.
 */
EXPORT __u32 trace_read(struct trace *trace, void *to, __u32 room, __u64 *missed);
/* End a trace, while the host holds all threads. */
EXPORT void trace_end(struct trace *trace);

/* A packet has come to an input. */
EXPORT void pkt_trace(struct pkt *p, __u32 element, int port);
/* For the router's code: does nothing while packets aren't traced. */
static __always_inline void trace_point(struct pkt *p, __u32 element, int port)
{
	if (router_is_traced())
		pkt_trace(p, element, port);
}

/* Count packets at all outputs from now on, in `counts`, [slot * outputs + output]; NULL ends that. The host holds all threads, and
 * packets aren't traced. 0 or -errno.
 */
EXPORT int runtime_count(struct runtime *runtime, __u64 *counts, __u32 outputs);
/* A packet leaves by an output, which has this number among all outputs. */
EXPORT void pkt_count(__u32 output);
/* For the router's code: does nothing while packets aren't counted. */
static __always_inline void count_point(__u32 output)
{
	if (router_is_traced())
		pkt_count(output);
}

static __always_inline struct pkt *trace_pulled(struct pkt *p, __u32 element, int port, __u32 output)
{
	if (router_is_traced() && p) {
		pkt_count(output);
		pkt_trace(p, element, port);
	}
	return p;
}

/* Within the library: record an event of a packet. */
void trace_event(struct trace *trace, struct pkt *p, __u32 element, int port, enum traced_event event, __u32 detail);
