/* Spreads a device's packets over CPUs: a program at the device hashes each packet's flow to a CPU, and the cpumap of that CPU runs
 * the router's program. All packets of a flow go to one queue, so they stay in order.
 *
 * These programs and their queues stay attached while the router changes: replacing it is one store into `path`.
 *
 * An AF_XDP ring has a single producer, so on several CPUs the router's programs don't redirect to sockets: they return
 * HANDED_OVER, and one more queue for each device, with its own kernel thread, passes these packets to the socket.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include "handover.h"
#include "siphash.h"

#define LANES 256	/* a power of two */
#define TAGS 2		/* most VLAN tags before a header that is read */
#define VLAN 0x8100
#define PROVIDER_VLAN 0x88a8
#define IP_FRAGMENT 0x3fff	/* more fragments follow, or an offset */
#define IPV6_FRAGMENT 44

/* What is hashed. FLOW and HOSTS give both directions the same CPU. */
enum fields {
	FLOW,	/* addresses, protocol and ports; only addresses for fragments */
	HOSTS,	/* both addresses */
	SRC,
	DST,
};

/* The CPU of each hash value. Single words, so that they can change while packets flow. */
struct lanes {
	__u32 fields;
	__u32 cpu[LANES];
};

/* Counts of one queue: frames accepted, refused, and processed since. */
struct level {
	__u64 queued, refused, taken;
};

/* Set by the loader: the hash key; the CPU of the queue for handovers; the ids of the two cpumaps; and the index of the handovers'
 * entry in `levels`, after those of all CPUs.
 */
const volatile __u64 key[2] = {};
const volatile __u32 handing_cpu = 0, queues_id = 0, handing_id = 0, handing_level = 0;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct lanes);
} lanes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CPUMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_cpumap_val);
} queues SEC(".maps"), handing SEC(".maps");

/* The router's program for the device. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} path SEC(".maps");

/* The runtime's socket: in a cpumap, every packet appears to come from the device's first receive queue. */
struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct level);
} levels SEC(".maps");

struct flow {
	__u64 src[2], dst[2];
	__u64 rest;	/* protocol and ports */
	__u16 sport, dport;
};

static __always_inline void read_ports(struct flow *f, __u8 protocol, const __be16 *ports, const void *end)
{
	asm volatile("" : "+r"(ports));		/* else clang compares a different pointer from the one it dereferences */
	f->rest = (__u64)protocol << 32;
	if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP && protocol != IPPROTO_UDPLITE && protocol != IPPROTO_SCTP)
		return;
	if ((const void *)(ports + 2) > end)
		return;
	f->sport = ports[0];
	f->dport = ports[1];
}

/* The flow of an IP packet; 0 for others. */
static __always_inline int read_flow(struct flow *f, struct xdp_md *ctx)
{
	const void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	const __be16 *type = at + 2 * ETH_ALEN;
	const struct iphdr *ip;
	const struct ipv6hdr *ip6;

	for (int tags = 0; (const void *)(type + 1) <= end; type += 2) {
		if (*type != bpf_htons(VLAN) && *type != bpf_htons(PROVIDER_VLAN))
			break;
		if (++tags > TAGS)
			return 0;
	}
	asm volatile("" : "+r"(type));		/* one copy of the code below, not one for each number of tags */
	at = type + 1;
	if (at > end)
		return 0;
	if (*type == bpf_htons(ETH_P_IP)) {
		ip = at;
		if ((const void *)(ip + 1) > end)
			return 0;
		f->src[0] = ip->saddr;
		f->dst[0] = ip->daddr;
		if (!(ip->frag_off & bpf_htons(IP_FRAGMENT)))
			read_ports(f, ip->protocol, at + 4 * ip->ihl, end);
		return 1;
	}
	ip6 = at;
	if (*type != bpf_htons(ETH_P_IPV6) || (const void *)(ip6 + 1) > end)
		return 0;
	__builtin_memcpy(f->src, &ip6->saddr, sizeof(f->src));
	__builtin_memcpy(f->dst, &ip6->daddr, sizeof(f->dst));
	if (ip6->nexthdr != IPV6_FRAGMENT)
		read_ports(f, ip6->nexthdr, (const void *)(ip6 + 1), end);
	return 1;
}

/* Whether to swap the two ends of a flow, so that both directions hash alike: the smaller end comes first. */
static __always_inline int is_reversed(const struct flow *f)
{
	if (f->src[0] != f->dst[0])
		return f->src[0] > f->dst[0];
	if (f->src[1] != f->dst[1])
		return f->src[1] > f->dst[1];
	return f->sport > f->dport;
}

static __always_inline __u32 lane_of(struct xdp_md *ctx, __u32 fields)
{
	struct flow f = {};
	__u64 words[5] = {};
	const __u64 secret[2] = {key[0], key[1]};
	int back;

	if (!read_flow(&f, ctx))
		return 0;
	if (fields == SRC || fields == DST) {
		words[0] = fields == SRC ? f.src[0] : f.dst[0];
		words[1] = fields == SRC ? f.src[1] : f.dst[1];
	} else {
		if (fields == HOSTS)
			f.rest = f.sport = f.dport = 0;
		back = is_reversed(&f);
		words[0] = back ? f.dst[0] : f.src[0];
		words[1] = back ? f.dst[1] : f.src[1];
		words[2] = back ? f.src[0] : f.dst[0];
		words[3] = back ? f.src[1] : f.dst[1];
		words[4] = f.rest | (back ? (__u32)f.dport << 16 | f.sport : (__u32)f.sport << 16 | f.dport);
	}
	return siphash(secret, words, 5, 1, 3) & (LANES - 1);
}

/* At the device. Packets other than IP go to the first lane. */
SEC("xdp")
int spread(struct xdp_md *ctx)
{
	const __u32 zero = 0;
	const struct lanes *l = bpf_map_lookup_elem(&lanes, &zero);

	if (!l)
		return XDP_ABORTED;
	return bpf_redirect_map(&queues, l->cpu[lane_of(ctx, l->fields)], XDP_ABORTED);
}

/* The verdict of the router's program. Out of line: the target of a tail call returns to the caller of the function that made it. */
static __attribute__((noinline)) int run_path(struct xdp_md *ctx)
{
	int verdict = XDP_PASS;

	bpf_tail_call(ctx, &path, 0);
	asm volatile("" : "+r"(verdict));	/* else clang assumes that this is the result */
	return verdict;
}

/* In a CPU's queue. Without a router, packets pass to Linux. */
SEC("xdp/cpumap")
int entered(struct xdp_md *ctx)
{
	int verdict = run_path(ctx);

	return verdict == HANDED_OVER ? (int)bpf_redirect_map(&handing, handing_cpu, XDP_ABORTED) : verdict;
}

/* In the queue for handovers. */
SEC("xdp/cpumap")
int handed(struct xdp_md *ctx)
{
	return bpf_redirect_map(&sockets, 0, XDP_ABORTED);
}

static __always_inline struct level *level_of(__u32 map, __u32 cpu)
{
	__u32 index = map == queues_id ? cpu : handing_level;

	return map == queues_id || map == handing_id ? bpf_map_lookup_elem(&levels, &index) : NULL;
}

/* map id, frames for the queue, frames that it refused, CPU */
SEC("tp_btf/xdp_cpumap_enqueue")
int queued(__u64 *arguments)
{
	struct level *l = level_of(arguments[0], arguments[3]);
	__u32 refused = arguments[2];

	if (l) {
		__sync_fetch_and_add(&l->queued, (__u32)arguments[1] - refused);
		__sync_fetch_and_add(&l->refused, refused);
	}
	return 0;
}

/* map id, frames processed; runs in the queue's thread */
SEC("tp_btf/xdp_cpumap_kthread")
int taken(__u64 *arguments)
{
	struct level *l = level_of(arguments[0], bpf_get_smp_processor_id());

	if (l)
		__sync_fetch_and_add(&l->taken, (__u32)arguments[1]);
	return 0;
}

char _license[] SEC("license") = "GPL";
