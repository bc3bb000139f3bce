/* Gives frames to Linux that a user-space process wants it to receive on a device.
 *
 * The process sends the frame on that device, marked. Here, on the device's way out, the frame turns round and comes in as
 * if it had arrived by wire: Linux's stack sees it, XDP does not see it again.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>

/* SO_MARK of the frames that Linux is to receive. Set by the loader. */
const volatile __u32 tohost_mark = 0;

/* Native XDP runs in the driver, which this frame does not meet. */
SEC("tc")
int tohost(struct __sk_buff *skb)
{
	if (skb->mark != tohost_mark)
		return TC_ACT_UNSPEC;
	skb->mark = 0;
	return bpf_redirect(skb->ifindex, BPF_F_INGRESS);
}

/* Generic XDP runs behind the point where a redirected frame comes in. It leaves out the frames that the action mirred
 * has redirected, so this program only says which they are: as a classifier, 0 for no match and -1 for a match.
 */
SEC("tc")
int tohost_match(struct __sk_buff *skb)
{
	if (skb->mark != tohost_mark)
		return 0;
	skb->mark = 0;
	return -1;
}

char _license[] SEC("license") = "GPL";
