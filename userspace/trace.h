/* Tracing: what packets meet, for a host that asks for it now and then.
 *
 * The kernel path, built for it, puts its part into a ring buffer (bpf/traced.h); the runtime's is put into memory here, by the
 * router's code, whose calls are switched on (switch.h). A packet that the runtime makes, or receives without having been asked about in
 * the kernel, is asked about at the first input that it comes to.
 */
#ifndef CLICKBPF_TRACE_H
#define CLICKBPF_TRACE_H

#include "drops.h"
#include "filter.h"
#include "pkt.h"
#include "router.h"
#include "traced_event.h"

struct runtime;
struct trace;

/* One event; after it come `copied` bytes of the frame, from the packet's MAC header on where that is set, and zeros up to `size`. */
struct traced {
	__u32 size;		/* with all that belongs to it, a multiple of 8 */
	__u32 packet;		/* its number */
	__u64 time;		/* nanoseconds since 1970 */
	__u16 element;		/* index; for what the runtime sends, 0xffff */
	__u8 port, event;	/* enum traced_event */
	__u32 detail;		/* what that says */
	__s32 mac, net, trans;	/* headers, from the frame's start; -1 if unset */
	__u32 off, trim;	/* bytes of the frame before the packet and after it */
	__u32 length, copied;	/* bytes of the frame, and how many are here; of what was lost at a handover none */
	__s16 device;		/* index of the one that it came from, or -1 */
	__u8 in_kernel, unused;
	__u8 anno[ANNO_SIZE];
};

/* What a trace is about. Filters without rows take everything; those of packets that begin with an IP header take nothing if
 * `no_raw`. `number`, 7 bits, tells it from others before. Up to `most` packets of the runtime's own are begun.
 */
struct trace_wish {
	const struct filter_row *link, *raw;
	__u32 links, raws;
	bool no_raw;
	__u32 number, most;
	int ring;		/* descriptor of the kernel path's ring buffer, which stays the caller's, or -1 */
	__u32 ring_size;
};

/* Begin one, while the host holds all threads; there is none. NULL, with errno. */
EXPORT struct trace *runtime_trace(struct runtime *runtime, const struct trace_wish *wish);
/* Events so far, whole ones, into `to`: bytes. *missed gets how many of the runtime's had no room since the last call. */
EXPORT __u32 trace_read(struct trace *trace, void *to, __u32 room, __u64 *missed);
/* End it, while the host holds all threads. */
EXPORT void trace_end(struct trace *trace);

/* A packet has come to an input. */
EXPORT void pkt_trace(struct pkt *p, __u32 element, int port);
/* For what router's code emits: nothing while no packet is traced. */
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

/* Within the library: an event of a packet. */
void trace_event(struct trace *trace, struct pkt *p, __u32 element, int port, enum traced_event event, __u32 detail);

#endif
