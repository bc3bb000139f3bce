/* Numbered frames, and what becomes of them. `number`, run with live frames (BPF_F_TEST_XDP_LIVE_FRAMES), sends them out of a
 * device at a steady pace; `count` is attached to the device where they arrive. The numbers are in host byte order at offset 16.
 */
#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>

#define FRAME_SIZE 64
#define BEHIND 100000000	/* ns: who was kept from sending for longer doesn't catch up */

const volatile __u64 head[2] = {};
const volatile __u32 ifindex = 0;
const volatile __u64 interval = 2000;	/* ns from one frame to the next */
const volatile __u64 most = ~0ull;	/* frames in all */

struct traffic {
	__u64 stop;
	__u64 sent, due;
	__u64 received, next, disordered;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct traffic);
} traffic SEC(".maps");

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
	word[2] = t->sent++;
	return bpf_redirect(ifindex, 0);
}

SEC("xdp")
int count(struct xdp_md *ctx)
{
	__u32 zero = 0;
	struct traffic *t = bpf_map_lookup_elem(&traffic, &zero);
	__u64 *word = frame_of(ctx);

	if (!t || !word || word[1] != head[1])
		return XDP_PASS;
	t->received++;
	if (word[2] < t->next)
		t->disordered++;
	else
		t->next = word[2] + 1;
	return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
