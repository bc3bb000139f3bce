/* Numbered frames, and what becomes of them. `number`, run with live frames (BPF_F_TEST_XDP_LIVE_FRAMES), sends them out of a
 * device at a steady pace; `count` is attached to the device where they arrive. The numbers are in host byte order at offset 16; with
 * `flows`, which are UDP over IPv4 and differ in the lower half of their source address, in the payload, at offset 48. Frames of different
 * flows may overtake each other.
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

/* The number that a flow's next frame has at least. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, FLOWS);
	__type(key, __u32);
	__type(value, __u64);
} next SEC(".maps");

/* From offset 16 on: length 50, not fragmented, TTL 64, UDP. */
#define IP_REST (50ull << 8 | 64ull << 48 | 17ull << 56)

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
	word[flows ? 6 : 2] = t->sent;
	if (flows) {
		word[2] = IP_REST;
		word[3] = (t->sent % flows) << 32;
		word[4] = word[5] = 0;
	}
	t->sent++;
	return bpf_redirect(t->ifindex, 0);
}

SEC("xdp")
int count(struct xdp_md *ctx)
{
	__u32 zero = 0;
	struct traffic *t = bpf_map_lookup_elem(&traffic, &zero);
	__u64 *word = frame_of(ctx), number, *expected;
	__u32 flow;

	if (!t || !word || word[1] != head[1])
		return XDP_PASS;
	number = word[flows ? 6 : 2];
	flow = flows ? number % flows : 0;
	expected = bpf_map_lookup_elem(&next, &flow);
	if (!expected)
		return XDP_ABORTED;
	t->received++;
	if (number < *expected)
		t->disordered++;
	else
		*expected = number + 1;
	return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
