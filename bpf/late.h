/* Copies on TC that are changed after they have been made (plan/late.py): each is a clone, and a program at the device's egress runs while
 * the clone is being sent there. Until that returns, this CPU sends nothing else; so what describes the clone is in a per-CPU map. All other
 * frames leave as they are.
 */
#ifndef CLICKBPF_BPF_LATE_H
#define CLICKBPF_BPF_LATE_H

/* Whether the programs are in place, 1 or 0; set by the loader. Until then the runtime makes the copies. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} late SEC(".maps");

struct late_copy {
	struct pkt packet;	/* as it was when the copies were made */
	__u32 site;
	__u32 device;		/* one more than that of the clone that is being sent, or 0 */
	bool sent;		/* the device's program has let it go */
};

/* A test run's programs run one after another, maybe on another CPU. */
struct {
	__uint(type, tracing ? BPF_MAP_TYPE_ARRAY : BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct late_copy);
} late_copies SEC(".maps");

FUNCTIONS

/* Which copies these are: number `which` of an element; or it isn't a copy. */
#define LATE_SITE(element, which) ((element) << 8 | (which))
#define LATE_NONE (-1)

/* Whether copies are changed so. While packets are traced the runtime makes them. */
static __always_inline bool late_is_possible(void)
{
#ifdef TRACED
	return false;
#else
	__u32 zero = 0;
	const __u32 *value = bpf_map_lookup_elem(&late, &zero);

	keep_apart();
	return tracing || (value && *value);
#endif
}

static __always_inline struct late_copy *late_copy(void)
{
	__u32 zero = 0;
	struct late_copy *copy = bpf_map_lookup_elem(&late_copies, &zero);

	keep_apart();
	return copy;
}

/* Whether clones that are changed can be sent by a device: by an L3 device the kernel sends them without what is before the network header. */
static __always_inline bool late_fits(__u32 device)
{
	return tracing || (interface_of(device) && !device_is_l3(device));
}

/* Describe the packet, of which there are to be copies number `which` of an element. */
static __always_inline bool late_record(struct pkt *p, __u32 element, __u32 which)
{
	struct late_copy *copy = late_copy();

	if (!copy)
		return false;
	copy->site = LATE_SITE(element, which);
	pkt_store(&copy->packet, p);
	return true;
}

/* Send a clone by a device, through the device's program. A clone that doesn't get there, or that the device has no room for, is a drop
 * of `element`.
 */
static __always_inline void late_clone(struct pkt *p, __u32 element, __u32 device)
{
	struct late_copy *copy = late_copy();
	__u32 interface = interface_of(device);
	bool failed;

	if (tracing) {
		trace_clone(p->ctx, p->size, device, true);
		pkt_load(p);
		return;
	}
	if (!copy)
		return;
	copy->device = device + 1;
	copy->sent = true;
	failed = !interface || clone_by(p, device, interface);
	if (copy->device || (failed && copy->sent))
		drop_packet(p, element, DROP_DEVICE);
	copy->device = 0;
	pkt_load(p);
}

/* A frame is about to leave by a device: the packet as it was when the copies were made, and which these are. */
static __always_inline int late_arrive(struct pkt *p, struct CONTEXT *ctx, __u32 device)
{
	struct late_copy *copy = late_copy();

	if (likely(!copy || (!tracing && copy->device != device + 1)))
		return LATE_NONE;
	copy->device = 0;
	copy->sent = false;
	if (!arrive(p, ctx))
		return LATE_NONE;
	pkt_restore(p, &copy->packet);
	return copy->site;
}

/* The copy leaves, by the device that the program belongs to. */
static __always_inline int late_leave(struct pkt *p, __u32 element, __u32 device)
{
	struct late_copy *copy = late_copy();

	if (!pkt_settle(p))
		return drop_packet(p, element, DROP_NO_HEADROOM);
	if (copy)
		copy->sent = true;
	trace_exit(TRACE_SENT, device);
	return TC_ACT_UNSPEC;
}

static __always_inline int late_send(struct pkt *p, __u32 element, __u32 device)
{
	trace_packet(p, element, 0, TRACED_SENT, device);
	return late_leave(p, element, device);
}

/* The same for a copy that isn't changed: its way was reported when it was made. */
#define late_unchanged late_leave

GLOBALS

#endif
