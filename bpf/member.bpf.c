/* A router's member of libxdp's dispatcher, which calls a device's XDP programs one after another.
 *
 * The dispatcher loads its members as BPF_PROG_TYPE_EXT. The router's programs remain plain XDP programs, so this member tail-calls
 * the one for the device. If there is none, the packet goes on to the next member.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} jump SEC(".maps");

SEC("xdp")
int clickbpf_member(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &jump, 0);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
