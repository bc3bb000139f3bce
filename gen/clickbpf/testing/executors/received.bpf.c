/* Brings a test run's packet into the state in which Linux has a packet that a device received, and runs the program under test
 * on it. */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} next SEC(".maps");

/* cb[0] is the packet's length.
 * Taking the outermost tag out of the frame puts the next one, if there is one, beside it; which returns when the outermost one
 * takes its place there.
 */
SEC("tc")
int received(struct __sk_buff *skb)
{
	void *data, *end;
	__be16 protocol = skb->protocol;

	if (skb->len != skb->cb[0] && bpf_skb_change_tail(skb, skb->cb[0], 0))
		return TC_ACT_SHOT;
	skb->cb[0] = 0;
	data = (void *)(long)skb->data;
	end = (void *)(long)skb->data_end;
	if ((protocol == bpf_htons(ETH_P_8021Q) || protocol == bpf_htons(ETH_P_8021AD)) && data + ETH_HLEN + 4 <= end) {
		__u16 tag = bpf_ntohs(*(__u16 *)(data + ETH_HLEN));

		/* Of a next one that is cut off it says that it fails, and the outermost one is out of the frame. */
		if ((bpf_skb_vlan_pop(skb) && skb->len >= ETH_HLEN + 4) || bpf_skb_vlan_push(skb, protocol, tag))
			return TC_ACT_SHOT;
	}
	bpf_tail_call(skb, &next, 0);
	return TC_ACT_SHOT;
}

char _license[] SEC("license") = "GPL";
