/* A member of libxdp's dispatcher, which calls the XDP programs of a device one after another: it stands for a router.
 *
 * The dispatcher takes its members as programs of the type that extends others, and the router's programs stay what they are, so
 * the member jumps to the router's program for the device. Where there is none, the packet passes on to the next member.
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
