/* Tracing: passes events of the runtime, kept in memory, and of the kernel path, from its ring buffer, to the host in one form. */
#include "trace.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include "annotations.h"
#include "look.h"
#include "ringbuf.h"
#include "runtime.h"

#define EVENTS_SIZE (1 << 20)	/* bytes of the runtime's own events */
#define MOST_COPIED 65536	/* of a packet */

struct trace {
	struct runtime *runtime;
	struct filter link, raw;
	__u32 number, most;
	__u64 clock;		/* nanoseconds that reading the clock takes */
	__u64 epoch;		/* CLOCK_REALTIME when CLOCK_MONOTONIC was 0, the same for all events */
	pthread_mutex_t lock;	/* guards what follows */
	__u32 packets;		/* numbered here */
	__u64 missed;
	__u32 used;
	__u8 *events;		/* [EVENTS_SIZE], of which `used` */
	struct ringbuf ring;	/* if there is one */
};

/* -- a packet's number ----------------------------------------------------------------------------------------------- */

/* Apply the filter to the link header; without one, to the IP header; without either, to the packet's start as an Ethernet header. */
static bool is_wanted(const struct trace *trace, const struct pkt *p)
{
	const bool raw = p->mac == NO_HEADER && p->net != NO_HEADER;
	const __u8 *start = raw ? p->head + p->net : p->mac != NO_HEADER ? p->head + p->mac : p->data;

	return start <= p->tail && filter_takes(raw ? &trace->raw : &trace->link, start, p->tail - start);
}

/* Whether the packet is reported, and its number. The caller holds the lock. A packet numbered by an earlier trace is filtered
 * again.
 */
static bool has_number(struct trace *trace, struct pkt *p, __u32 *number)
{
	*number = p->trace;
	if (!*number || (*number >> 24 & 0x7f) != trace->number) {
		const bool wanted = is_wanted(trace, p) && trace->packets < trace->most;

		*number = TRACED_IN_RUNTIME | trace->number << 24 | (wanted ? trace->packets++ : TRACED_UNWANTED);
		p->trace = *number;
	}
	return (*number & TRACED_COUNT) != TRACED_UNWANTED;
}

/* -- events ---------------------------------------------------------------------------------------------------------- */

static __u32 whole_size(__u32 copied)
{
	return (sizeof(struct traced) + copied + 7) & ~7u;
}

static __s32 from(const struct pkt *p, const __u8 *start, int header)
{
	return header == NO_HEADER || p->head + header < start ? -1 : (__s32)(p->head + header - start);
}

/* With the lock. */
static void put(struct trace *trace, const struct pkt *p, const struct traced *said)
{
	const __u8 *start = p->mac != NO_HEADER && p->head + p->mac < p->data ? p->head + p->mac : p->data;
	const __u32 length = p->tail - start, copied = length < MOST_COPIED ? length : MOST_COPIED;
	struct traced event = *said;

	event.size = whole_size(copied);
	if (event.size > EVENTS_SIZE - trace->used) {
		trace->missed++;
		return;
	}
	event.time = trace->epoch + machine_clock(CLOCK_MONOTONIC);
	event.mac = from(p, start, p->mac);
	event.net = from(p, start, p->net);
	event.trans = from(p, start, p->trans);
	event.off = p->data - start;
	event.length = length;
	event.copied = copied;
	event.device = p->device;
	memcpy(event.anno, p->anno, sizeof(event.anno));
	memset(trace->events + trace->used, 0, event.size);
	memcpy(trace->events + trace->used, &event, sizeof(event));
	memcpy(trace->events + trace->used + sizeof(event), start, copied);
	trace->used += event.size;
}

void trace_event(struct trace *trace, struct pkt *p, __u32 element, int port, enum traced_event event, __u32 detail)
{
	static __thread struct {
		__u64 time;
		__u32 packet;
	} last;
	const __u64 spent = machine_clock(CLOCK_MONOTONIC) - last.time;
	struct traced said = {.element = element, .port = port, .event = event, .detail = detail};

	pthread_mutex_lock(&trace->lock);
	if (has_number(trace, p, &said.packet)) {
		if (last.packet == said.packet && spent < UINT32_MAX)
			said.spent = spent > trace->clock ? spent - trace->clock : 1;
		put(trace, p, &said);
	}
	last.packet = said.packet;
	pthread_mutex_unlock(&trace->lock);
	last.time = machine_clock(CLOCK_MONOTONIC);
}

void pkt_trace(struct pkt *p, __u32 element, int port)
{
	struct trace *trace = current->runtime->trace;

	if (trace)
		trace_event(trace, p, element, port, TRACED_INPUT, 0);
}

void pkt_count(__u32 output)
{
	const struct runtime *runtime = current->runtime;

	if (runtime->counted && output < runtime->outputs)
		runtime->counted[(size_t)current->slot * runtime->outputs + output]++;
}

/* -- the kernel path's part ------------------------------------------------------------------------------------------ */

/* Convert a record of the ring to the host's form; returns its length, 0 if it isn't this router's, -ENOBUFS if there is no room. */
static int translate(const struct trace *trace, const struct look *look, __u32 length, __u8 *to, __u32 room)
{
	const struct handovers *handovers = &trace->runtime->handovers;
	const __u8 *record = (const __u8 *)(look + 1), *anno;
	__u8 annotations[CARRIED_SIZE] = {};
	struct handover head;
	struct traced event;

	if (length < sizeof(*look) + sizeof(head))
		return 0;
	memcpy(&head, record, sizeof(head));
	if (head.hash != handovers->hash || head.size < sizeof(head) + handovers->length ||
	    sizeof(*look) + head.size + look->copied > length)
		return 0;
	if (whole_size(look->copied) > room)
		return -ENOBUFS;
	anno = record + sizeof(head);
	for (__u32 i = 0; i < handovers->ranges; anno += handovers->range[i++].length)
		memcpy(annotations + handovers->range[i].offset, anno, handovers->range[i].length);
	event = (struct traced){
		.size = whole_size(look->copied),
		.time = trace->epoch + look->time,
		.element = head.element,
		.port = head.port,
		.event = look->event & 0xff,
		.detail = look->event >> 8,
		.mac = head.mac,
		.net = head.net,
		.trans = head.trans,
		.off = head.off,
		.trim = head.trim,
		.length = look->length,
		.copied = look->copied,
		.device = look->device,
		.in_kernel = 1,
	};
	memcpy(&event.packet, annotations + CARRIED_TRACE, sizeof(event.packet));
	memcpy(&event.spent, annotations + CARRIED_TRACE + sizeof(event.packet), sizeof(event.spent));
	memcpy(event.anno, annotations, sizeof(event.anno));
	memset(to, 0, event.size);
	memcpy(to, &event, sizeof(event));
	memcpy(to + sizeof(event), record + head.size, look->copied);
	return event.size;
}

static __u32 read_ring(struct trace *trace, __u8 *to, __u32 room)
{
	const struct ringbuf *ring = &trace->ring;
	const __u64 producer = atomic_load_explicit(ring->producer, memory_order_acquire);
	__u64 position = atomic_load(ring->consumer);
	__u32 used = 0;

	while (position < producer) {
		const __u8 *record = ringbuf_record(ring, position);
		const __u32 length = ringbuf_length(record);
		int taken = 0;

		if (length & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(length & BPF_RINGBUF_DISCARD_BIT))
			taken = translate(trace, (const void *)(record + BPF_RINGBUF_HDR_SZ), length, to + used, room - used);
		if (taken < 0)
			break;
		used += taken;
		position = ringbuf_after(position, length);
		atomic_store_explicit(ring->consumer, position, memory_order_release);
	}
	return used;
}

/* -- the host's calls ------------------------------------------------------------------------------------------------ */

__u32 trace_read(struct trace *trace, void *to, __u32 room, __u64 *missed)
{
	const __u32 used = trace->ring.pages ? read_ring(trace, to, room) : 0;
	__u32 own = 0;

	room -= used;
	pthread_mutex_lock(&trace->lock);
	while (own < trace->used && own + ((struct traced *)(trace->events + own))->size <= room)
		own += ((struct traced *)(trace->events + own))->size;
	memcpy((__u8 *)to + used, trace->events, own);
	memmove(trace->events, trace->events + own, trace->used - own);
	trace->used -= own;
	*missed = trace->missed;
	trace->missed = 0;
	pthread_mutex_unlock(&trace->lock);
	return used + own;
}

static void release(struct trace *trace)
{
	ringbuf_close(&trace->ring);
	pthread_mutex_destroy(&trace->lock);
	free(trace->link.row);
	free(trace->raw.row);
	free(trace->events);
	free(trace);
}

static __u64 clock_takes(void)
{
	__u64 least = ~0ull;

	for (int i = 0; i < 100; i++) {
		const __u64 before = machine_clock(CLOCK_MONOTONIC), took = machine_clock(CLOCK_MONOTONIC) - before;

		least = took < least ? took : least;
	}
	return least;
}

struct trace *runtime_trace(struct runtime *runtime, const struct trace_settings *settings)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	int error;

	if (!trace)
		return NULL;
	trace->runtime = runtime;
	trace->number = settings->number;
	trace->most = settings->most;
	trace->clock = clock_takes();
	trace->epoch = machine_clock(CLOCK_REALTIME) - machine_clock(CLOCK_MONOTONIC);
	trace->raw.none = settings->no_raw;
	pthread_mutex_init(&trace->lock, NULL);
	trace->events = malloc(EVENTS_SIZE);
	error = trace->events ? filter_keep(&trace->link, settings->link, settings->links) : -ENOMEM;
	if (!error)
		error = filter_keep(&trace->raw, settings->raw, settings->raws);
	if (!error && settings->ring >= 0)
		error = ringbuf_open(&trace->ring, settings->ring, settings->ring_size);
	if (!error)
		error = switch_sites(&runtime->code->sites, true);
	if (error) {
		release(trace);
		errno = -error;
		return NULL;
	}
	runtime->trace = trace;
	return trace;
}

void trace_end(struct trace *trace)
{
	trace->runtime->trace = NULL;
	switch_sites(&trace->runtime->code->sites, false);
	release(trace);
}

int runtime_count(struct runtime *runtime, __u64 *counts, __u32 outputs)
{
	const int error = switch_sites(&runtime->code->sites, counts != NULL);

	if (!error) {
		runtime->counted = counts;
		runtime->outputs = outputs;
	}
	return error;
}
