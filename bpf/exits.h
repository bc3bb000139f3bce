/* How a packet enters a program of the kernel path, and how it leaves: sent, given to Linux, handed over to the runtime, dropped,
 * or passed to the next program by tail call. exits_xdp.h and exits_tc.h have the parts that depend on the hook. The generated text
 * before this file defines
 *
 *	ROUTER_HASH	which router's element numbers a handover record speaks of
 *	CARRIED		bytes of annotations that cross to another executor, and pkt_carry() that copies them
 *	DEVICES		number of devices
 *	MAX_QUEUES	receive queues of a device that the runtime can listen on
 *	ELEMENTS	number of elements
 *	SLOTS		values in per-thread state, unless the loader says otherwise
 *	COUNTERS_GLOBAL	that struct counters has all per-thread state of a slot, and that these structs are a global array; or
 *	COUNTERS_IN_MAP	that they are too large for a global, and so in a map; neither is defined without such state
 *	JUMPS		number of programs entered by tail call, undefined for none
 *	TIMED	that packets' timestamps may be others than those of their arrival, or undefined
 *	TRACED		that packets are traced (traced.h), and what that needs; or undefined
 *	COUNTED, OUTPUTS	that packets are counted at every output, and the number of these; or undefined
 *	LOOKS, LOOKS_SIZE	that elements here only look at packets, and bytes of the ring buffer for that (looks.h); or undefined
 *	PACED	that packets may get times at which to leave, or undefined
 *	device_is_made()	whether the router has made a device
 *	device_is_outbound()	whether a device stands for what Linux sends by another (FromOutbound)
 *	device_is_outbound_of()	whether it stands for what Linux sends by this one
 *	device_has_outbound()	whether there is such a device for this one
 */
#pragma once

#include "handover.h"

/* Values in per-thread state: one for each CPU and each runtime thread. Set by the loader, which also sizes the maps; the value
 * here is for other loaders.
 */
const volatile __u32 slots = SLOTS;
/* See packet.h. Linux starts with zero, and ntpd or chronyd may set the number of leap seconds long after the router was loaded: so
 * the router's process keeps this variable up to date.
 */
volatile __u64 tai_ahead SEC(".data.clock") = 0;
/* The devices' hardware addresses, to recognise packets for this host: six bytes as at the start of a frame, then two zeros. Set by
 * the loader; zero if unknown. The array's size is a power of two so that an index can be masked: Linux 6.1's verifier keeps the
 * bound of a mask, but loses that of a comparison when clang compares a copy of the index.
 */
const volatile __u64 device_mac[DEVICE_MACS] = {};
#define ADDRESS_OF(device) device_mac[(device) & (DEVICE_MACS - 1)]
#if defined(HOOK_TC) || defined(FRAGS)
/* The longest packet, including its record, that the runtime's sockets accept in several buffers; 0 if they accept only single
 * buffers. Set by the loader.
 */
const volatile __u32 most_in_parts = 0;
#endif
#ifdef PACED
/* Limits of each device's root qdisc for packets with a departure time, if it is fq: packets of a flow, and nanoseconds into the
 * future. Set by the loader.
 */
const volatile struct {
	__u64 horizon;
	__u64 packets;
} fq_room[DEVICES] = {};
#endif
#define ETHER_MASK 0x0000ffffffffffffull
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the low 48 bits of a frame are its first address");

#ifdef HOOK_TC
/* Devices without a link header: their packets begin with the IP header. Set by the loader. */
const volatile bool device_l3[DEVICE_MACS] = {};
#define device_is_l3(device) (device_l3[(device) & (DEVICE_MACS - 1)])
#else
#define device_is_l3(device) false
#endif

/* A device's address, 6 bytes. The asm keeps clang from using the zeros above as a constant. */
static __always_inline const void *device_address(__u32 device)
{
	const void *address = (const void *)&ADDRESS_OF(device);

	asm("" : "+r"(address));
	return address;
}

/* Devices that the runtime receives from. */
#ifdef HOOK_TC
#define INLET DEVICES
#define LISTENING (DEVICES + 1)
#else
#define LISTENING DEVICES
#endif

struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, LISTENING * MAX_QUEUES);
	__type(key, __u32);
	__type(value, __u32);
} xsks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, LISTENING * MAX_QUEUES);
	__type(key, __u32);
	__type(value, struct handed);
} handed SEC(".maps");

struct drops {
	__u64 reason[DROP_REASONS];
} __attribute__((aligned(64)));

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, ELEMENTS * SLOTS);
	__type(key, __u32);
	__type(value, struct drops);
} drops SEC(".maps");

#ifdef COUNTED
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, OUTPUTS * SLOTS);
	__type(key, __u32);
	__type(value, __u64);
} counted SEC(".maps");	/* [slot * OUTPUTS + output] */
#endif

#ifdef COUNTERS_IN_MAP
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, SLOTS);
	__type(key, __u32);
	__type(value, struct counters);
} counters SEC(".maps");

static __always_inline struct counters *counters_of(__u32 slot)
{
	struct counters *found = bpf_map_lookup_elem(&counters, &slot);

	keep_apart();
	return found;
}
#elif defined(COUNTERS_GLOBAL)
struct counters counters[SLOTS] SEC(".data.counters") = {};

static __always_inline struct counters *counters_of(__u64 slot)
{
	return &counters[slot];
}
#else
#define counters_of(slot) ((void *)p)
#endif

#include "tested.h"

#ifdef HOOK_TC
#define DROPPED 2	/* TC_ACT_SHOT */
#else
#define DROPPED XDP_DROP
#endif

#ifdef TRACED
#include "traced_event.h"
static __always_inline void trace_packet(struct pkt *p, __u32 element, __u32 port, __u32 event, __u32 detail);
#else
#define trace_packet(p, element, port, event, detail) ((void)0)
#define trace_lost(ctx, record, device, reason) ((void)0)
#define trace_leap(p) ((void)0)
#endif

FUNCTIONS

/* Count drops of an element. */
static __always_inline void count_drops(__u32 element, __u32 reason, __u64 packets)
{
	__u32 key = element * slots + slot_of_cpu(this_cpu_again());
	struct drops *d = bpf_map_lookup_elem(&drops, &key);

	keep_apart();
	if (d && reason < DROP_REASONS)
		d->reason[reason] += packets;
}

#ifdef COUNTED
/* Count the packet at an output, by the number of that among all outputs. */
static __always_inline void count_output(struct pkt *p, __u32 output)
{
	__u32 key = slot_of_cpu(this_cpu_again()) * OUTPUTS + output;
	__u64 *count = bpf_map_lookup_elem(&counted, &key);

	keep_apart();
	if (count)
		*count += pkt_packets(p);
}
#endif

/* End the packet here without counting a drop. */
static __always_inline int vanish(void)
{
	trace_exit(TRACE_DROPPED, 0);
	return DROPPED;
}

static __always_inline int drop_some(__u32 element, __u32 reason, __u64 packets)
{
	count_drops(element, reason, packets);
	return vanish();
}

static __always_inline int drop(__u32 element, __u32 reason)
{
	return drop_some(element, reason, 1);
}

static __always_inline int drop_packet(struct pkt *p, __u32 element, __u32 reason)
{
	trace_packet(p, element, 0, TRACED_DROP, reason);
	return drop_some(element, reason, pkt_packets(p));
}

struct crossing {
	struct handover head;
	__u8 anno[CARRIED ?: 4];
} __attribute__((aligned(4)));

#define CROSSING_SIZE (sizeof(struct handover) + CARRIED)

#define PLACES_TRIES 4	/* several CPUs may take places at the same moment */

/* Take places reserved for this input. */
static __always_inline bool take_own(struct handed *h, __u32 round, __u32 share, __u32 places)
{
	__u32 *own = &h->own[share & (HANDOVER_SHARES - 1)], before, taken;

	for (int i = 0; i < PLACES_TRIES; i++) {
		before = *(const volatile __u32 *)own;
		taken = (before >> 8 == (round & 0xffffff) ? before & 0xff : 0) + places;
		if (taken > HANDOVER_OWN)
			return false;
		if (__sync_val_compare_and_swap(own, before, round << 8 | taken) == before)
			return true;
	}
	return false;
}

/* Take places shared by all inputs. The word has the round in its lower half, the count in its upper one. */
static __always_inline bool take_common(struct handed *h, __u32 round, __u32 places)
{
	__u64 *common = (__u64 *)&h->common_round, before, taken;

	for (int i = 0; i < PLACES_TRIES; i++) {
		before = *(const volatile __u64 *)common;
		taken = ((__u32)before == round ? before >> 32 : 0) + places;
		if (taken > HANDOVER_COMMON)
			return false;
		if (__sync_val_compare_and_swap(common, before, taken << 32 | round) == before)
			return true;
	}
	return false;
}

/* Take `places` for a packet to the input numbered `share`; false if there are not enough (handover.h). */
static __always_inline bool within_budget(__u32 queue, __u32 share, __u32 places)
{
	struct handed *h = bpf_map_lookup_elem(&handed, &queue);
	__u32 round;

	keep_apart();
	if (!h)
		return true;
	round = *(const volatile __u32 *)&h->round;
	return take_own(h, round, share, places) || take_common(h, round, places);
}

/* Whether a runtime would get a packet of this device and queue that is handed over. */
static __attribute__((noinline, unused)) bool listens(__u32 device, __u32 queue)
{
#ifdef HOOK_TC
	__u32 socket = INLET * MAX_QUEUES;
#else
	__u32 socket = device * MAX_QUEUES + queue;
#endif
	bool there = tracing || (queue < MAX_QUEUES && bpf_map_lookup_elem(&xsks, &socket));

	keep_apart();
	return there;
}
#ifdef HOOK_TC
#define runtime_listens(p) listens((p)->device, 0)
#else
#define runtime_listens(p) listens((p)->device, (p)->ctx->rx_queue_index)
#endif

static int hand_over_record(struct CONTEXT *ctx, const struct crossing *record, __u32 device, __u32 share);

/* Fill in the record of the packet, at input `port` of `element`. */
static __always_inline void record_packet(struct crossing *record, struct pkt *p, __u32 element, __u32 port)
{
	record->head = (struct handover){
		.hash = ROUTER_HASH,
		.element = element,
		.port = port,
		.size = CROSSING_SIZE,
		.off = p->off,
		.mac = p->mac == NO_HEADER ? -1 : p->mac,
		.net = p->net == NO_HEADER ? -1 : p->net,
		.trans = p->trans == NO_HEADER ? -1 : p->trans,
		.trim = p->trim,
		.type = pkt_type(p) | (p->made ? HANDOVER_MADE : 0),
		.device = p->device,
	};
	pkt_carry(record->anno, p);
}

/* Hand the packet over at input `port` of `element`; `share` is the number of the element's input 0. */
static __always_inline int hand_over(struct pkt *p, __u32 element, __u32 port, __u32 share)
{
	struct crossing record = {};

	record_packet(&record, p, element, port);
	return hand_over_record(p->ctx, &record, p->device, share + port);
}

GLOBALS
#ifdef LOOKS
#include "looks.h"
#endif
#ifdef TRACED
#include "traced.h"
#endif
FUNCTIONS

/* Drop a packet because handing it over failed. */
static __always_inline int drop_handed(struct CONTEXT *ctx, const struct crossing *record, __u32 device, __u32 reason)
{
	trace_lost(ctx, record, device, reason);
	return drop_some(record->head.element, reason, frame_packets(ctx));
}

/* Initialise `p` for a packet that has come in. False if this CPU has no counters (never, but the verifier wants the check). */
static __always_inline bool arrive(struct pkt *p, struct CONTEXT *ctx)
{
	pkt_init(p, ctx);
	p->counters = counters_of(this_slot());
	return p->counters;
}

#ifdef JUMPS
/* Copy a packet's description, except its type, from or for another program of this router. */
static __always_inline void pkt_describe(struct pkt *to, const struct pkt *from)
{
	to->off = from->off;
	to->trim = from->trim;
	to->mac = from->mac;
	to->net = from->net;
	to->trans = from->trans;
	to->device = from->device;
	to->made = from->made;
	to->joined = from->joined;
	to->link = from->link;
	__builtin_memcpy(to->anno, from->anno, ANNO_SIZE);
#ifdef TIMED
	to->timestamp = from->timestamp;
#endif
#ifdef TRACED
	to->trace = from->trace;
	to->traced = from->traced;
	to->since = from->since;
	to->spent = from->spent;
#endif
}

/* Arguments of a tail call. One value per CPU is enough, since a CPU processes one packet at a time. */
struct scratch {
	struct pkt packet;
	__u32 port;
	__u32 length;
};
_Static_assert(__builtin_offsetof(struct pkt, off) == 40 && __builtin_offsetof(struct pkt, trim) == 48, "prove/differences.py");
_Static_assert(__builtin_offsetof(struct pkt, mac) == 56 && __builtin_offsetof(struct pkt, device) == 68, "prove/differences.py");

GLOBALS
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct scratch);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, JUMPS);
	__type(key, __u32);
	__type(value, __u32);
} jumps SEC(".maps");
FUNCTIONS

/* Continue at input `port` of `element`, in another program. The kernel limits a chain to 33 tail calls; after that bpf_tail_call()
 * returns, and the packet is handed over to the runtime, which has no such limit.
 */
static __always_inline int jump(struct pkt *p, __u32 element, __u32 port, __u32 share, __u32 index)
{
	__u32 zero = 0;
	struct scratch *s = bpf_map_lookup_elem(&scratch, &zero);

	keep_apart();
	if (!s)
		return drop(element, DROP_TAIL_CALL);
	s->port = port;
	trace_leap(p);
	pkt_describe(&s->packet, p);
	s->packet.type = pkt_type(p);
	bpf_tail_call(p->ctx, &jumps, index);
	return hand_over(p, element, port, share);
}

/* The other end of jump(): restore the packet and return its input port, or -1. */
static __always_inline int land(struct pkt *p, struct CONTEXT *ctx)
{
	__u32 zero = 0;
	struct scratch *s = bpf_map_lookup_elem(&scratch, &zero);

	keep_apart();
	if (!s || !arrive(p, ctx))
		return -1;
	pkt_describe(p, &s->packet);
	pkt_set_type(p, s->packet.type);
	return s->port;
}

/* land() where packets come as their devices have received them, so that clang knows where their headers are. */
static __always_inline int land_as_received(struct pkt *p, struct CONTEXT *ctx)
{
	const int port = land(p, ctx);

	p->off = p->mac = 0;
	p->trim = 0;
	p->net = p->trans = NO_HEADER;
	p->made = false;
	return port;
}
#endif

static __always_inline __u8 packet_type(__u64 start, __u32 device)
{
	__u64 to = start & ETHER_MASK;

	if (to == ADDRESS_OF(device))
		return PACKET_HOST;
	return to == ETHER_MASK ? PACKET_BROADCAST : to & 1 ? PACKET_MULTICAST : PACKET_OTHERHOST;
}

/* Set what a device determines about its packet: the first header, which is the MAC header, or the network header on an L3 device.
 * False for a frame shorter than an Ethernet header (never, but the verifier wants the check).
 */
static __always_inline bool describe(struct pkt *p, __u32 device)
{
	const __u64 *start;

	p->device = device;
	if (device_is_l3(device)) {
		p->net = 0;
		pkt_set_type(p, PACKET_HOST);
		return p->size;
	}
	p->mac = 0;
	start = pkt_frame_at(p, 0, ETH_HLEN);
	if (start)
		p->start = *start;
	return start;
}

/* Devices that copies of a packet leave by, as a bit mask, or the bit to hand the packet over instead. */
#define COPY_BY(device) (1ull << (device))
#define COPIES_GIVEN_UP (1ull << 63)

static __always_inline bool device_is_there(__u32 device);

/* Account for a copy that has reached its device; a drop if the device doesn't exist. Returns the device's bit: one redirect later
 * sends all copies.
 */
static __always_inline __u64 copy_to(struct pkt *p, __u32 element, __u32 device)
{
	if (!tracing && unlikely(!device_is_there(device)))
		drop_packet(p, element, DROP_DEVICE);
	else
		trace_packet(p, element, 0, TRACED_SENT, device);
	return COPY_BY(device);
}

/* Prepare the packet before its copies leave, and report the verdict to a test. False if there is nothing to send: in a test run,
 * or because the packet was dropped.
 */
static __always_inline bool begin_copies(struct pkt *p, __u32 element, __u32 verdict, __u32 number)
{
	if (!pkt_settle(p)) {
		drop_packet(p, element, DROP_NO_HEADROOM);
		return false;
	}
	trace_exit(verdict, number);
	return !tracing;
}

GLOBALS

#ifdef HOOK_TC
#include "exits_tc.h"
#else
#include "exits_xdp.h"
#endif
