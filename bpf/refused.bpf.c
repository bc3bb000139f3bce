/* Counts packets that drivers and cpumap queues refuse after a redirect.
 *
 * A redirect only queues a frame. The driver gets frames in bulks of up to 16 at the end of a NAPI poll, long after the program has
 * returned; only tracepoints show how many it refused, and which redirects failed. They are counted as the router's drops, in its
 * own map. (The runtime counts those of its ring by itself: sending.bpf.c.)
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define MAPS_MOST 64		/* of a program: MAX_USED_MAPS of the kernel */
#define NATIVE 1		/* XDP_MODE_DRV of enum bpf_xdp_mode */

/* The kernel's structures, as far as they are read here. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct bpf_map {
	__u32 id;
};

struct bpf_prog_aux {
	__u32 used_map_cnt;
	struct bpf_map **used_maps;
};

struct bpf_prog {
	struct bpf_prog_aux *aux;
};

struct bpf_link {
	struct bpf_prog *prog;
};

struct bpf_xdp_link {
	struct bpf_link link;
};

struct bpf_xdp_entity {
	struct bpf_prog *prog;
	struct bpf_xdp_link *link;
};

struct net_device {
	int ifindex;
	struct bpf_xdp_entity xdp_state[3];
};

struct bpf_dtab_netdev {
	struct net_device *dev;
};
#pragma clang attribute pop

/* The number of values that `drops` has for each element; the reasons to count refusals of devices, of CPUs' queues, and of the
 * queue for handovers. Set by the loader.
 */
const volatile __u32 slots = 0, reason = 0, full_reason = 0, overrun_reason = 0;

/* The router's map of drops (exits.h), which the loader puts in place of this one. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__uint(value_size, 64);
} drops SEC(".maps");

/* The router's devices: ifindex -> number of the element that sends there. (Devices of other namespaces may have the same ifindex, but
 * the router's programs send by none of them.)
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} senders SEC(".maps");

/* cpumaps: map id -> the element that receives, and whether the queue is the one for handovers. */
struct queue {
	__u32 receiver, handing;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct queue);
} queues SEC(".maps");

/* Ids of maps by which the router's programs are recognised: each uses `drops` or a cpumap. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} own SEC(".maps");

/* Whether a program is one of the router's. Recognised by its maps, since arguments, traces and swaps change programs. */
static __always_inline int is_own(struct bpf_prog *program)
{
	struct bpf_map **maps = BPF_CORE_READ(program, aux, used_maps), *map;
	__u32 most = BPF_CORE_READ(program, aux, used_map_cnt), id;

	for (__u32 i = 0; i < MAPS_MOST && i < most; i++) {
		if (bpf_probe_read_kernel(&map, sizeof(map), &maps[i]))
			continue;
		id = BPF_CORE_READ(map, id);
		if (bpf_map_lookup_elem(&own, &id))
			return 1;
	}
	return 0;
}

static __always_inline struct bpf_prog *program_of(struct net_device *device)
{
	struct bpf_xdp_link *link = device->xdp_state[NATIVE].link;

	return link ? link->link.prog : device->xdp_state[NATIVE].prog;
}

/* Count drops of an element. `why` is one of the read-only variables above, so the verifier knows its value. */
static __always_inline void count_drops(__u32 element, __u32 why, __u64 packets)
{
	__u32 index = element * slots + bpf_get_smp_processor_id();
	__u64 *counts = bpf_map_lookup_elem(&drops, &index);

	if (counts)
		counts[why] += packets;
}

static __always_inline void count(struct net_device *to, __u64 packets)
{
	__u32 ifindex = BPF_CORE_READ(to, ifindex), *sender = bpf_map_lookup_elem(&senders, &ifindex);

	if (sender)
		count_drops(*sender, reason, packets);
}

/* from, to, frames that the driver took, frames that it refused, error */
SEC("tp_btf/xdp_devmap_xmit")
int refused(__u64 *arguments)
{
	struct net_device *from = (void *)arguments[0], *to = (void *)arguments[1];

	if ((int)arguments[3] > 0 && is_own(program_of(from)))
		count(to, arguments[3]);
	return 0;
}

/* from, program, entry of the devmap, error, map type, map id, index. Fired when the device is down or its MTU is too small. */
SEC("tp_btf/xdp_redirect_err")
int failed(__u64 *arguments)
{
	const __u32 type = arguments[4];
	struct bpf_dtab_netdev *entry;

	/* Linux 6.1 refuses to load a void pointer argument directly. */
	if (bpf_probe_read_kernel(&entry, sizeof(entry), &arguments[2]))
		return 0;
	if ((type == BPF_MAP_TYPE_DEVMAP || type == BPF_MAP_TYPE_DEVMAP_HASH) && is_own((void *)arguments[1]))
		count(BPF_CORE_READ(entry, dev), 1);
	return 0;
}

/* map id, frames for the queue, frames that it refused, CPU */
SEC("tp_btf/xdp_cpumap_enqueue")
int full(__u64 *arguments)
{
	__u32 id = arguments[0], refused = arguments[2];
	struct queue *queue = refused ? bpf_map_lookup_elem(&queues, &id) : NULL;

	if (queue && queue->handing)
		count_drops(queue->receiver, overrun_reason, refused);
	else if (queue)
		count_drops(queue->receiver, full_reason, refused);
	return 0;
}

char _license[] SEC("license") = "GPL";
