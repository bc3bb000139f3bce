/* What the router of configs/iprouter.click is compared with: the same forwarding path as one program written by hand.
 *
 * Ethernet and IPv4 checks, header checksum, routes compiled in, TTL with its incremental checksum (RFC 1624), next hop's
 * address from an array by the host bits of 10.0.x.y, MAC rewrite, a counter, redirect. Anything else is passed on.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

struct neighbour {
	__u8 ether[6];
	__u16 valid;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct neighbour);
} neighbours SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} forwarded SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} tx SEC(".maps");

static const __u8 own_ether[2][6] = {{2, 0, 0, 0, 0, 0x10}, {2, 0, 0, 0, 1, 0x10}};

static __always_inline __u32 sum_words(const struct iphdr *ip)
{
	const __u16 *word = (const void *)ip;
	__u32 sum = 0;

#pragma unroll
	for (int i = 0; i < 10; i++)
		sum += word[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

SEC("xdp")
int handwritten(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct iphdr *ip = data + sizeof(*eth);
	struct neighbour *next;
	__u32 key, to, zero = 0, address, check;
	__u64 *counter;

	if ((void *)(ip + 1) > end)
		return XDP_PASS;
	if (eth->h_proto != bpf_htons(ETH_P_IP) || ip->version != 4 || ip->ihl != 5)
		return XDP_PASS;
	if (bpf_ntohs(ip->tot_len) > (long)end - (long)ip || sum_words(ip) != 0xffff || ip->ttl <= 1)
		return XDP_PASS;
	address = bpf_ntohl(ip->daddr);
	if (address == 0x0a000001 || address == 0x0a000101)
		return XDP_PASS;
	if ((address & 0xffffff00) == 0x0a000000)
		to = 0;
	else if ((address & 0xffffff00) == 0x0a000100)
		to = 1;
	else
		return XDP_PASS;
	key = address & 0xffff;
	next = bpf_map_lookup_elem(&neighbours, &key);
	if (!next || !next->valid)
		return XDP_PASS;
	check = ip->check + bpf_htons(0x0100);
	ip->check = check + (check >= 0xffff);
	ip->ttl--;
	*(__u32 *)eth->h_dest = *(__u32 *)next->ether;
	*(__u16 *)(eth->h_dest + 4) = *(__u16 *)(next->ether + 4);
	*(__u32 *)eth->h_source = *(const __u32 *)own_ether[to & 1];
	*(__u16 *)(eth->h_source + 4) = *(const __u16 *)(own_ether[to & 1] + 4);
	counter = bpf_map_lookup_elem(&forwarded, &zero);
	if (counter)
		(*counter)++;
	return bpf_redirect_map(&tx, to, XDP_DROP);
}

SEC("xdp")
int empty(struct xdp_md *ctx)
{
	return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
