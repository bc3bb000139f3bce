/* Tracing: what packets meet, for a host that reads the events now and then.
 *
 * A kernel path built for tracing puts its events into a ring buffer (bpf/traced.h); the runtime's are put into memory here, by
 * calls in the router's code, which are switched on (switch.h). A packet that the runtime makes, or that the kernel path hasn't
 * filtered, is filtered at the first input that it comes to.
 */
#pragma once

#include "drops.h"
#include "filter.h"
#include "pkt.h"
#include "router.h"
#include "traced_event.h"

struct runtime;
struct trace;

/* One event; after it come `copied` bytes of the frame, from the packet's MAC header on where that is set, and zeros up to `size`. */
struct traced {
	__u32 size;		/* including the bytes after it, a multiple of 8 */
	__u32 packet;		/* its number */
	__u64 time;		/* nanoseconds since 1970 */
	__u16 element;		/* index; for what the runtime sends, 0xffff */
	__u8 port, event;	/* enum traced_event */
	__u32 detail;		/* detail of the kind */
	__s32 mac, net, trans;	/* headers, from the frame's start; -1 if unset */
	__u32 off, trim;	/* bytes of the frame before the packet and after it */
	__u32 length, copied;	/* bytes of the frame, and how many follow; none if lost at a handover */
	__s16 device;		/* index of the device that it came from, or -1 */
	__u8 in_kernel, unused;
	__u32 spent;		/* nanoseconds since the report before: in the runtime if that was of the same packet, or 0; in the kernel path a
				 * reading of the clock longer (bpf/traced.h) */
	__u8 anno[ANNO_SIZE];
};

/* What to trace. A filter without rows accepts everything; with `no_raw` no packet that begins with an IP header is accepted.
 * `number`, 7 bits, distinguishes it from earlier traces. At most `most` of the runtime's own packets are traced.
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
/* Copy the complete events so far into `to`; returns their bytes. *missed gets the number of runtime events that had no room
 * since the last call. */
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

static __always_inline struct pkt *trace_pulled(struct pkt *p, __u32 element, int port)
{
	if (router_is_traced() && p)
		pkt_trace(p, element, port);
	return p;
}

/* Within the library: record an event of a packet. */
void trace_event(struct trace *trace, struct pkt *p, __u32 element, int port, enum traced_event event, __u32 detail);
