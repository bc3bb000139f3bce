/* Injects frames of a user-space process into Linux's receive path on a device.
 *
 * The process sends the frame on that device with a mark. At the device's egress, these programs redirect it to the device's
 * ingress, as if it had arrived from the wire: Linux's stack sees it, native XDP doesn't see it again.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

/* SO_MARK of the frames that Linux is to receive, and of those that only packet sockets are to see. Set by the loader. */
const volatile __u32 tohost_mark = 0, sniffers_mark = 0;

/* A frame for packet sockets keeps its mark: sniffers() drops it by that. */
static __always_inline bool is_meant(struct __sk_buff *skb)
{
	if (skb->mark == tohost_mark)
		skb->mark = 0;
	else if (skb->mark != sniffers_mark)
		return false;
	return true;
}

/* For native XDP, which runs in the driver: a redirected frame doesn't pass through that. */
SEC("tc")
int tohost(struct __sk_buff *skb)
{
	if (!is_meant(skb))
		return TC_ACT_UNSPEC;
	return bpf_redirect(skb->ifindex, BPF_F_INGRESS);
}

/* For generic XDP, which would run for a frame redirected by BPF, but skips frames redirected by the action mirred. So this program
 * only selects frames for mirred: as a classifier, it returns 0 for no match and -1 for a match.
 */
SEC("tc")
int tohost_match(struct __sk_buff *skb)
{
	return is_meant(skb) ? -1 : 0;
}

/* For a router on TC, which sees the redirected frame and must leave it alone: the mark stays. */
SEC("tc")
int tohost_marked(struct __sk_buff *skb)
{
	if (skb->mark != tohost_mark && skb->mark != sniffers_mark)
		return TC_ACT_UNSPEC;
	return bpf_redirect(skb->ifindex, BPF_F_INGRESS);
}

/* At ingress, between packet sockets and Linux's stack: drops frames that were for packet sockets only. */
SEC("tc")
int sniffers(struct __sk_buff *skb)
{
	return skb->mark == sniffers_mark ? TC_ACT_SHOT : TC_ACT_UNSPEC;
}

char _license[] SEC("license") = "GPL";
