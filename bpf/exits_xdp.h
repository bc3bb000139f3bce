/* The exits of XDP programs: redirects to devices' transmit rings and to AF_XDP sockets, or XDP_PASS to Linux. */
#pragma once

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, DEVICES);
	__type(key, __u32);
	__type(value, __u32);
} tx SEC(".maps");

#ifdef FRAGS
/* Devices whose drivers don't accept multi-buffer frames by redirect. Set by the loader. */
const volatile bool device_whole_only[DEVICE_MACS] = {};
#endif

/* Whether the programs run in cpumap queues (spread.bpf.c), on several CPUs at once. Set by the loader. */
const volatile bool is_spread = false;

#ifdef SPREAD
/* Threads of the configuration are CPUs: the thread that each CPU is. Set by the loader. */
#define MOST_CPUS 1024
const volatile __u16 thread_of_cpu[MOST_CPUS] = {};

#define this_processor()                                       \
	({                                                     \
		const __u64 cpu_ = this_cpu();                 \
		cpu_ < MOST_CPUS ? thread_of_cpu[cpu_] : 0;    \
	})
#endif

#ifdef HOPS
/* struct lane, MOST_WAITING and LANE_CPU_AT are generated (vocabulary/lane.py). The CPU of the queue for handovers, set by the loader. */
#define LANE_COUNT ((1ull << LANE_CPU_AT) - 1)
const volatile __u32 handing_cpu = 0;
struct lane level SEC(".data.level") = { .capacity = MOST_WAITING };

#define CPU_QUEUE(name)                                   \
	struct {                                          \
		__uint(type, BPF_MAP_TYPE_CPUMAP);        \
		__uint(max_entries, 1);                   \
		__type(key, __u32);                       \
		__type(value, struct bpf_cpumap_val);     \
	} name SEC(".maps")

CPU_QUEUE(handing);
#endif

FUNCTIONS

/* Send by a device's transmit ring. */
static __always_inline int send(struct pkt *p, __u32 element, __u32 device)
{
	register long verdict asm("r0");

	trace_packet(p, element, 0, TRACED_SENT, device);
	if (!pkt_settle(p))
		return drop_packet(p, element, DROP_NO_HEADROOM);
	trace_exit(TRACE_SENT, device);
	if (tracing)
		return XDP_REDIRECT;
	verdict = bpf_redirect_map(&tx, device, XDP_DROP);
	keep_apart();
	/* Exit right here with the helper's value. From a comparison in C, clang makes a jump to the common end and loads the
	 * constant again.
	 */
	asm goto("if %0 != %1 goto %l2\n\t"
		 "exit"
		 :
		 : "r"(verdict), "i"(XDP_REDIRECT)
		 :
		 : lost);
	__builtin_unreachable();
lost:
	return drop_packet(p, element, DROP_DEVICE);
}

static __always_inline bool device_is_there(__u32 device)
{
	bool there = bpf_map_lookup_elem(&tx, &device);

	keep_apart();
	return there;
}

/* A set of devices that copies leave by together. */
#define COPY_SET(number, devices)                     \
	struct {                                      \
		__uint(type, BPF_MAP_TYPE_DEVMAP);    \
		__uint(max_entries, devices);         \
		__type(key, __u32);                   \
		__type(value, __u32);                 \
	} copies_##number SEC(".maps")

/* Send the finished packet by all devices in a map. The kernel skips devices that are gone or down. */
static __always_inline int send_all(void *devices)
{
	int verdict = bpf_redirect_map(devices, 0, BPF_F_BROADCAST);

	keep_apart();
	return verdict;
}

/* The same for one device. */
static __always_inline int send_last(struct pkt *p, __u32 device)
{
	int verdict = bpf_redirect_map(&tx, device, XDP_DROP);

	keep_apart();
	return verdict;
}

/* Give the packet to Linux as received on `device`: the one it arrived on, or one that the router has created. */
static __always_inline int to_host(struct pkt *p, __u32 element, __u32 device)
{
	if (device_is_made(device))
		return send(p, element, device);
	trace_packet(p, element, 0, TRACED_HOST, device);
	if (!pkt_settle(p))
		return drop_packet(p, element, DROP_NO_HEADROOM);
	trace_exit(TRACE_HOST, device);
	return XDP_PASS;
}

#ifdef FRAGS
static __always_inline bool device_takes_parts(__u32 device)
{
	__u32 index = device & (DEVICE_MACS - 1);

	/* Keep the mask, which clang would drop after the comparison: Linux 6.1's verifier needs it, as for device_mac. */
	asm volatile("" : "+r"(index));
	return device < DEVICES && !device_whole_only[index];
}

/* Ring entries that a frame takes in a socket; 0 if it is too long for one. */
static __always_inline __u32 places_of(struct CONTEXT *ctx, long linear)
{
	long length = frame_size(ctx, linear);

	if ((length > linear || length > HANDOVER_PART) && length > most_in_parts)
		return 0;
	return HANDOVER_PLACES((__u32)length);
}

/* describe() for a frame whose linear part is too short: reads the header by a helper. */
static __always_inline bool describe_unseen(struct pkt *p, __u32 device)
{
	__u64 start[2] = {};

	if (bpf_xdp_load_bytes(p->ctx, 0, start, ETH_HLEN))
		return false;
	p->device = device;
	p->mac = 0;
	p->start = start[0];
	return true;
}
#else
#define places_of(ctx, linear) 1
#endif

#ifdef HOPS
/* Take a place. Returns the CPU whose queue the packet has to enter, or -1 if there is no place. Several CPUs that do so at once may
 * exceed the capacity by some packets, for which the kernel's queue has room.
 */
static __always_inline int lane_enter(struct lane *lane)
{
	volatile struct lane *now = lane;
	const __u64 left = now->left;	/* read first, since the other may only grow */

	if (((now->entered - left) & LANE_COUNT) >= now->capacity)
		return -1;
	return __sync_fetch_and_add(&lane->entered, 1) >> LANE_CPU_AT;
}

static __always_inline void lane_leave(struct lane *lane)
{
	__sync_fetch_and_add(&lane->left, 1);
}

/* Whether another CPU than this one processes the lane's packets. */
static __always_inline bool lane_has_moved(const struct lane *lane)
{
	return (__u32)read_once(lane->where) != this_cpu();
}

/* Complete a move to this CPU if it has taken the last packet that entered. */
static __always_inline void lane_settle(struct lane *lane)
{
	const __u64 entered = read_once(lane->entered), cpu = this_cpu();

	if (lane_has_moved(lane) || (entered & LANE_COUNT) != read_once(lane->left))
		return;
	if (__sync_val_compare_and_swap(&lane->entered, entered, (entered & LANE_COUNT) | cpu << LANE_CPU_AT) == entered)
		write_once(lane->where, cpu);
}
#endif

/* For programs in a cpumap, where rx_queue_index is always 0: GIVEN if the runtime has this socket open, else XDP_DROP. What runs the
 * program then passes the packet to the socket, unless this router's own programs run in several queues: these share one more queue.
 */
static __always_inline int give(__u32 socket)
{
	if (!bpf_map_lookup_elem(&xsks, &socket))
		return XDP_DROP;
#ifdef HOPS
	keep_apart();
	return lane_enter(&level) >= 0 ? (int)bpf_redirect_map(&handing, handing_cpu, XDP_DROP) : XDP_DROP;
#else
	return HANDED_OVER;
#endif
}
#ifdef HOPS
#define GIVEN XDP_REDIRECT
#else
#define GIVEN HANDED_OVER
#endif

/* Put the record before the frame. Returns the bytes in the first buffer, or 0 if there is no room. */
static __always_inline long put_record(struct CONTEXT *ctx, const struct crossing *record)
{
	void *data, *end;

	if (bpf_xdp_adjust_head(ctx, -(int)CROSSING_SIZE))
		return 0;
	data = (void *)(long)ctx->data;
	end = (void *)(long)ctx->data_end;
	if (data + CROSSING_SIZE > end)
		return 0;
	__builtin_memcpy((__u32 *)data, (const __u32 *)record, CROSSING_SIZE);
	return end - data;
}

/* Put the record before the frame and send both to the socket of the receive queue. Out of line because every PUNT calls it. */
static __attribute__((noinline)) int hand_over_record(struct CONTEXT *ctx, const struct crossing *record, __u32 device, __u32 share)
{
	long linear = put_record(ctx, record);
	__u32 socket, places;
	int verdict;

	if (!linear)
		return drop_handed(ctx, record, device, DROP_NO_HEADROOM);
	trace_exit(TRACE_HANDED, device);
	if (tracing)
		return XDP_PASS;
	places = places_of(ctx, linear);
	if (!places)
		return drop_handed(ctx, record, device, DROP_DEVICE);
	if (ctx->rx_queue_index >= MAX_QUEUES)
		return drop_handed(ctx, record, device, DROP_NO_RUNTIME);
	socket = device * MAX_QUEUES + ctx->rx_queue_index;
	verdict = is_spread ? give(socket) : (int)bpf_redirect_map(&xsks, socket, XDP_DROP);
	keep_apart();
	if (unlikely(verdict != (is_spread ? GIVEN : XDP_REDIRECT)))
		return drop_handed(ctx, record, device, DROP_NO_RUNTIME);
	if (likely(within_budget(socket, share, places)))
		return verdict;
#ifdef HOPS
	lane_leave(&level);
#endif
	return drop_handed(ctx, record, device, DROP_OVERRUN);
}

/* Take in a device's packet, for `element`. False, with the program's verdict, if the kernel path can't process it: too little of
 * it is linear, and the runtime gets it, or it is unusable.
 */
static __always_inline bool enter(struct pkt *p, struct CONTEXT *ctx, __u32 device, int *verdict, __u32 element, __u32 share)
{
	if (likely(arrive(p, ctx) && describe(p, device) && pkt_is_readable(p)))
		return true;
	rarely();
	*verdict = XDP_ABORTED;
#ifdef FRAGS
	if (p->counters && describe_unseen(p, device))
		*verdict = hand_over(p, element, 0, share);
#endif
	return false;
}

#ifdef HOPS
/* Hand the packet over to the queue of another CPU, with a record of its description in front. */
static __always_inline int hop(struct pkt *p, __u32 element, void *queue, struct lane *lane)
{
	const int cpu = lane_enter(lane);
	struct crossing record = {};

	if (cpu < 0) {
		__sync_fetch_and_add(&lane->refused, 1);
		return drop_packet(p, element, DROP_FULL);
	}
	record_packet(&record, p, element, 0);
	if (put_record(p->ctx, &record) && bpf_redirect_map(queue, cpu, XDP_DROP) == XDP_REDIRECT)
		return XDP_REDIRECT;
	keep_apart();
	lane_leave(lane);
	return drop_handed(p->ctx, &record, p->device, DROP_NO_HEADROOM);
}

/* Pass a packet of a lane that has moved on to the other CPU. */
static __always_inline int pass_on(__u32 element, void *queue, struct lane *lane)
{
	const int verdict = bpf_redirect_map(queue, (__u32)read_once(lane->where), XDP_DROP);

	keep_apart();
	if (verdict == XDP_REDIRECT)
		return verdict;
	lane_leave(lane);
	return drop(element, DROP_FULL);
}

/* The other end: take the record off, and continue with the packet that it describes. False if it can't be (never, but the verifier
 * wants the check).
 */
static __always_inline bool alight(struct pkt *p, struct CONTEXT *ctx, struct lane *lane)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct crossing record;

	lane_leave(lane);
	if (unlikely(read_once(lane->where) >> 32))
		lane_settle(lane);
	if (data + CROSSING_SIZE > end)
		return false;
	__builtin_memcpy((__u32 *)&record, (const __u32 *)data, CROSSING_SIZE);
	if (bpf_xdp_adjust_head(ctx, CROSSING_SIZE) || !arrive(p, ctx))
		return false;
	p->off = record.head.off;
	p->trim = record.head.trim;
	p->mac = record.head.mac == -1 ? NO_HEADER : record.head.mac;
	p->net = record.head.net == -1 ? NO_HEADER : record.head.net;
	p->trans = record.head.trans == -1 ? NO_HEADER : record.head.trans;
	p->device = record.head.device;
	p->made = record.head.type & HANDOVER_MADE;
	pkt_set_type(p, record.head.type & ~HANDOVER_MADE);
	pkt_bring(p, record.anno);
#ifdef TRACED
	p->traced = (p->trace & TRACED_COUNT) != TRACED_UNWANTED;
	p->since = now();
#endif
	return true;
}
#endif

GLOBALS

#ifdef HOPS
/* In the queue for handovers, the only producer of the sockets: every packet appears to come from a device's first receive queue. */
SEC("xdp")
int handed_over(struct CONTEXT *ctx)
{
	const struct handover *record = (void *)(long)ctx->data;
	__u32 socket;

	lane_leave(&level);
	if ((const void *)(record + 1) > (void *)(long)ctx->data_end)
		return XDP_ABORTED;
	socket = record->device * MAX_QUEUES;
	if (bpf_redirect_map(&xsks, socket, XDP_DROP) == XDP_REDIRECT)
		return XDP_REDIRECT;
	return drop(record->element, DROP_NO_RUNTIME);
}
#endif
