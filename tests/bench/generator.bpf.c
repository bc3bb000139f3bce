/* A packet source for benchmarks: run with live frames (BPF_F_TEST_XDP_LIVE_FRAMES), it sends one frame out of a device
 * again and again. Frames are recycled with what the router did to them, so each is written anew.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define FRAME_SIZE 64

const volatile __u64 frame[FRAME_SIZE / 8] = {};
const volatile __u32 ifindex = 0;

SEC("xdp")
int generate(struct xdp_md *ctx)
{
	__u64 *word = (void *)(long)ctx->data;

	if ((void *)word + FRAME_SIZE > (void *)(long)ctx->data_end)
		return XDP_DROP;
#pragma unroll
	for (int i = 0; i < FRAME_SIZE / 8; i++)
		word[i] = frame[i];
	return bpf_redirect(ifindex, 0);
}

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} tx SEC(".maps");

/* The ceiling of any forwarder: send every frame on, look at nothing. */
SEC("xdp")
int forward(struct xdp_md *ctx)
{
	return bpf_redirect(ifindex, 0);
}

/* The same by a map of devices, as routers have it, whose loads of the map are part of what they cost. */
SEC("xdp")
int forward_mapped(struct xdp_md *ctx)
{
	return bpf_redirect_map(&tx, 0, XDP_DROP);
}

SEC("xdp")
int sink(struct xdp_md *ctx)
{
	return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
