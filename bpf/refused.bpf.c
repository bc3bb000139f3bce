/* Counts the packets that devices refuse, and queues of CPUs.
 *
 * A redirect only queues a frame. The driver takes up to 16 of them at the end of a NAPI poll, and the program that redirected them
 * has ended by then; only tracepoints say how many the driver didn't take, and which redirects failed. The counts are drops of the
 * router's, in its own map.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define MAPS_MOST 64		/* of a program: MAX_USED_MAPS of the kernel */
#define NATIVE 1		/* XDP_MODE_DRV of enum bpf_xdp_mode */
#define LOOPBACK 1		/* the ifindex that frames of test runs, such as the runtime's ring (sending.bpf.c), come from */

/* What is read of the kernel's structures. */
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

struct net {
	__u64 net_cookie;
};

typedef struct {
	struct net *net;
} possible_net_t;

struct net_device {
	int ifindex;
	possible_net_t nd_net;
	struct bpf_xdp_entity xdp_state[3];
};

struct bpf_dtab_netdev {
	struct net_device *dev;
};
#pragma clang attribute pop

/* The values that the map `drops` has for each element; and the reasons to count for what devices refuse, and for what has no room in the
 * queue of a CPU or in that for handovers. Set by the loader.
 */
const volatile __u32 slots = 0, reason = 0, full_reason = 0, overrun_reason = 0;

/* The network namespace of the router's devices: others have devices of the same indices. Set by the loader. */
const volatile __u64 home = 0;

/* The router's counts: the type is that of bpf/exits.h, and the map the router's. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__uint(value_size, 64);
} drops SEC(".maps");

/* The router's devices: ifindex -> the element that sends by it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} senders SEC(".maps");

/* Queues of CPUs: the id of their map -> who receives, and whether they are for handovers. */
struct queue {
	__u32 receiver, handing;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct queue);
} queues SEC(".maps");

/* The ids of maps of which each of the router's programs uses one: the drops, or queues of CPUs. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} own SEC(".maps");

/* Whether a program is one of the router's: programs change with arguments, traces and swaps. */
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

/* Whether frames were sent by the router. Those of a runtime come from no device: while one router takes another's place, they belong to the
 * one whose program the device has that they leave by.
 */
static __always_inline int comes_from_router(struct net_device *from, struct net_device *to)
{
	const int runtime = from->ifindex == LOOPBACK;
	struct bpf_prog *program = program_of(runtime ? to : from);

	return (runtime && !program) || is_own(program);
}

/* Count drops of an element. The reason is one of the variables above, which the verifier knows the values of. */
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

	if (sender && BPF_CORE_READ(to, nd_net.net, net_cookie) == home)
		count_drops(*sender, reason, packets);
}

/* from, to, frames that the driver took, frames that it refused, error */
SEC("tp_btf/xdp_devmap_xmit")
int refused(__u64 *arguments)
{
	struct net_device *from = (void *)arguments[0], *to = (void *)arguments[1];

	if ((int)arguments[3] > 0 && comes_from_router(from, to))
		count(to, arguments[3]);
	return 0;
}

/* from, program, the device map's entry, error, type of the map, id of the map, index: the device is down, or its MTU too small. */
SEC("tp_btf/xdp_redirect_err")
int failed(__u64 *arguments)
{
	const __u32 type = arguments[4];
	struct bpf_dtab_netdev *entry;

	/* Linux 6.1 refuses a plain load of an argument that is a void pointer. */
	if (bpf_probe_read_kernel(&entry, sizeof(entry), &arguments[2]))
		return 0;
	if ((type == BPF_MAP_TYPE_DEVMAP || type == BPF_MAP_TYPE_DEVMAP_HASH) && is_own((void *)arguments[1]))
		count(BPF_CORE_READ(entry, dev), 1);
	return 0;
}

/* id of the map, frames for the queue, those of them that it refused, CPU */
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
