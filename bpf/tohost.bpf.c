/* Passes frames to Linux that a user-space process wants it to receive on a device.
 *
 * The process sends the frame on that device, marked. Here, at the device's egress, the frame is sent back in as if it had
 * arrived by wire: Linux's stack sees it, XDP does not see it again.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

/* SO_MARK of the frames that Linux is to receive, and of those that only packet sockets are to see. Set by the loader. */
const volatile __u32 tohost_mark = 0, sniffers_mark = 0;

/* A frame for packet sockets keeps its mark, so that it is recognised after they have seen it. */
static __always_inline bool is_meant(struct __sk_buff *skb)
{
	if (skb->mark == tohost_mark)
		skb->mark = 0;
	else if (skb->mark != sniffers_mark)
		return false;
	return true;
}

/* Native XDP runs in the driver, which this frame doesn't pass. */
SEC("tc")
int tohost(struct __sk_buff *skb)
{
	if (!is_meant(skb))
		return TC_ACT_UNSPEC;
	return bpf_redirect(skb->ifindex, BPF_F_INGRESS);
}

/* Generic XDP runs after the point where a redirected frame comes in, but skips frames that the action mirred has redirected. So
 * this program only selects the frames: as a classifier, it returns 0 for no match and -1 for a match.
 */
SEC("tc")
int tohost_match(struct __sk_buff *skb)
{
	return is_meant(skb) ? -1 : 0;
}

/* A router on TC sees incoming frames, and recognises by the mark those that it must leave alone. */
SEC("tc")
int tohost_marked(struct __sk_buff *skb)
{
	if (skb->mark != tohost_mark && skb->mark != sniffers_mark)
		return TC_ACT_UNSPEC;
	return bpf_redirect(skb->ifindex, BPF_F_INGRESS);
}

/* At the ingress, after the packet sockets and before Linux's stack: drops frames that were for packet sockets only. */
SEC("tc")
int sniffers(struct __sk_buff *skb)
{
	return skb->mark == sniffers_mark ? TC_ACT_SHOT : TC_ACT_UNSPEC;
}

char _license[] SEC("license") = "GPL";
