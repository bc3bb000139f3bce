/* Numbered frames, and what becomes of them. `number`, run with live frames (BPF_F_TEST_XDP_LIVE_FRAMES), sends them out of a
 * device at a steady pace; `count` is attached to the device where they arrive. The numbers are in host byte order at offset 16; with
 * `flows`, which are UDP over IPv4 and differ in the lower half of their source address, in the payload, at offset 48. Frames of different
 * flows may overtake each other. With `between`, flows can be routed: they are from its first address, and differ in the last two bytes
 * of their destination, which are added to its second one, low byte first. The first two bytes say which frames are counted. With `six`
 * they are over IPv6: packets of nothing (RFC 8200, 4.7) but the number, at offset 56.
 */
#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>

#define FRAME_SIZE 64
#define FLOWS 16384		/* the most */
#define BEHIND 100000000	/* ns: who was kept from sending for longer doesn't catch up */

const volatile __u64 head[2] = {};
const volatile __u64 interval = 2000;	/* ns from one frame to the next */
const volatile __u64 most = ~0ull;	/* frames in all */
const volatile __u32 flows = 0;
const volatile __u32 between[2] = {};
const volatile __u64 six[5] = {};	/* the frame from offset 16 on, of the first flow */

struct traffic {
	__u64 stop;
	__u64 sent, due;
	__u64 received, disordered;
	__u64 ifindex;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct traffic);
} traffic SEC(".maps");

/* The number that a flow's next frame has at least, how many have arrived, how many of these when one came by another way than the one
 * before it, with another TTL or to another Ethernet address, and how often that happened.
 */
struct flow {
	__u64 next, received, before;
	__u32 moved, way;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, FLOWS);
	__type(key, __u32);
	__type(value, struct flow);
} next SEC(".maps");

/* From offset 16 on: length 50, not fragmented, TTL 64, UDP. */
#define IP_REST (50ull << 8 | 64ull << 48 | 17ull << 56)

/* What `between` makes of a frame of UDP: ports 1000 and 9. */
static __always_inline void set_route(__u64 *word, __u32 flow)
{
	const __u32 source = between[0], destination = between[1] + (flow << 16);
	__u32 sum = 0x0045 + 0x3200 + 0x1140 + (source & 0xffff) + (source >> 16) + (destination & 0xffff) + (destination >> 16);

	sum = (sum & 0xffff) + (sum >> 16);
	sum = ~((sum & 0xffff) + (sum >> 16)) & 0xffff;
	word[3] = sum | (__u64)source << 16 | (__u64)destination << 48;
	word[4] = destination >> 16 | 0x1e000900e8030000ull;
}

static __always_inline bool is_ours(const __u64 *word)
{
	if (six[0])
		return word[1] >> 32 == head[1] >> 32 && (word[2] >> 32 & 0xff) == (six[0] >> 32 & 0xff);
	if (!between[1])
		return word[1] == head[1];
	return word[1] >> 32 == head[1] >> 32 && word[2] >> 56 == 17 && (word[3] >> 48) == (between[1] & 0xffff);
}

static __always_inline void set_route6(__u64 *word, __u32 flow)
{
	for (int i = 0; i < 5; i++)
		word[2 + i] = six[i];
	word[6] += (__u64)flow << 32;
}

/* Where a frame has its number. */
static __always_inline __u64 *number_of(__u64 *word)
{
	return &word[six[0] ? 7 : flows ? 6 : 2];
}

/* The TTL of a flow's packet. */
static __always_inline __u32 ttl_of(const __u64 *word)
{
	return word[2] >> (six[0] ? 40 : 48) & 0xff;
}

static __always_inline __u64 *frame_of(struct xdp_md *ctx)
{
	__u64 *word = (void *)(long)ctx->data;

	return (void *)word + FRAME_SIZE > (void *)(long)ctx->data_end ? NULL : word;
}

SEC("xdp")
int number(struct xdp_md *ctx)
{
	__u32 zero = 0;
	struct traffic *t = bpf_map_lookup_elem(&traffic, &zero);
	__u64 *word = frame_of(ctx), now = bpf_ktime_get_ns();

	if (!t || !word || *(volatile __u64 *)&t->stop || t->sent >= most || now < t->due)
		return XDP_DROP;
	t->due = (now - t->due > BEHIND ? now : t->due) + interval;
	word[0] = head[0];
	word[1] = head[1];
	*number_of(word) = t->sent;
	if (six[0]) {
		set_route6(word, t->sent % flows);
	} else if (flows) {
		word[2] = IP_REST;
		word[3] = (t->sent % flows) << 32;
		word[4] = word[5] = 0;
		if (between[1])
			set_route(word, t->sent % flows);
	}
	t->sent++;
	return bpf_redirect(t->ifindex, 0);
}

SEC("xdp")
int count(struct xdp_md *ctx)
{
	__u32 zero = 0, key = 0, way;
	struct traffic *t = bpf_map_lookup_elem(&traffic, &zero);
	__u64 *word = frame_of(ctx), number;
	struct flow *flow;

	if (!t || !word || !is_ours(word))
		return XDP_PASS;
	number = *number_of(word);
	key = flows ? number % flows : 0;
	flow = bpf_map_lookup_elem(&next, &key);
	if (!flow)
		return XDP_ABORTED;
	t->received++;
	if (number < flow->next)
		t->disordered++;
	else
		flow->next = number + 1;
	way = (word[0] >> 32 & 0xffff) | (flows ? ttl_of(word) : 0) << 16;
	if (flow->received && flow->way != way) {
		flow->moved++;
		flow->before = flow->received;
	}
	flow->received++;
	flow->way = way;
	return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
