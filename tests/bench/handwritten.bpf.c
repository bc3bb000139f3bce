/* What the router of configs/iprouter.click is compared with: its way of an IPv4 packet from one device to the other, with its default
 * addresses, written by hand to be as fast as XDP allows.
 *
 * What the router's kernel path forwards is forwarded, with the same bytes: the same tests of the Ethernet address, the header and
 * its checksum, source, routes, TTL and MTU; redirects, options, errors and whatever else it leaves to somebody are passed to Linux
 * untouched, and all of it is counted. test_anchor.py compares the two packet by packet.
 *
 * It knows what a configuration can't say: that no packet is asked about that doesn't end where its frame does, so that one subtraction
 * tests version, header length and both lengths; that two counters say what four elements count; that a table by the last byte of
 * a neighbour's address need not hold those who aren't neighbours.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>

#define CPUS 128	/* a machine that may have more can't load it */
#define ETHERNET 14
#define IP 20
#define MTU 1500
#define GATEWAY 254	/* 10.0.0.254 */

/* What one CPU has done with the packets of each device. */
struct counts {
	__u64 forwarded[2], passed[2];
} __attribute__((aligned(64)));

struct counts counts[CPUS];

/* What a frame to a neighbour begins with, by the last byte of the IP address, for each device: the neighbour's Ethernet address and the
 * first two bytes of ours. 0 for those that are not known, and for the addresses that are no neighbour's.
 */
__u64 neighbours0[256], neighbours1[256];

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} tx SEC(".maps");

#define unlikely(x) __builtin_expect(!!(x), 0)
/* Each word of the packet is read once, and as what it is. */
#define word16(at) (*(const volatile __u16 *)(at))
#define word32(at) (*(const volatile __u32 *)(at))
/* An address as a word of the packet. */
#define ADDRESS(a, b, c, d) ((__u32)(a) | (__u32)(b) << 8 | (__u32)(c) << 16 | (__u32)(d) << 24)
/* One instruction, of which clang makes two or three. */
#define if_any_bit(word, bits, label) asm goto("if %0 & %1 goto %l2" : : "w"(word), "i"((int)(bits)) : : label)
/* A value that clang shall compute where it stands. */
#define here(value) asm volatile("" : "+r"(value))

static __always_inline struct counts *counts_of_cpu(void)
{
	register __u64 cpu asm("r0");

	asm volatile("call %[helper]" : "=r"(cpu) : [helper] "i"(BPF_FUNC_get_smp_processor_id) : "r1", "r2", "r3", "r4", "r5");
	return (void *)counts + cpu * sizeof(struct counts);
}

static __always_inline int forwarded(const int from)
{
	counts_of_cpu()->forwarded[from]++;
	return bpf_redirect_map(&tx, !from, XDP_DROP);
}

/* 0.0.0.0, 255.255.255.255 and the broadcast addresses of both networks are no sources. All but one end with 255. */
static __always_inline bool is_bad_source(__u32 source)
{
	return !source || source == ~0u || source == ADDRESS(10, 0, 0, 255) || source == ADDRESS(10, 0, 1, 255);
}

/* Where the frame of the next hop's word is, if the packet goes out of the device `to`. NULL for what isn't sent there. */
static __always_inline const __u64 *next_hop(__u32 target, const int to)
{
	const char *table = (const char *)(to ? neighbours1 : neighbours0);
	__u32 network, host = target ^ ADDRESS(10, 0, to, 0);

	here(host);
	if_any_bit(host, 0x00ffffff, elsewhere);
	host >>= 24 - 3;
	here(host);
	return (const __u64 *)(table + host);
elsewhere:
	/* A route to all networks, but to this router's own and those of no host elsewhere: 0, 127, and from 224 on. */
	network = target & 0xff;
	if (to == 1 || !network || network == 127 || network >= 224 || !((target ^ ADDRESS(10, 0, 1, 0)) << 8))
		return NULL;
	return &neighbours0[GATEWAY];
}

/* The header of a packet that is as long as it says, without options. False, with nothing changed, if it isn't forwarded. */
static __always_inline bool rewrite(char *data, __u32 first, const int from)
{
	const int to = !from;
	const __u64 *hop;
	__u64 sum, start;
	__u32 ttl, source, target, hops;

	ttl = word32(data + ETHERNET + 8);
	source = word32(data + ETHERNET + 12);
	target = word32(data + ETHERNET + 16);
	sum = (__u64)first + word32(data + ETHERNET + 4);
	sum += ttl;
	sum += source;
	sum += target;
	/* RFC 1071: a multiple of 0xffff. Such a sum k * 0xffff times (2^64 - 1) / 0xffff is -k, and everything else is less. */
	if (unlikely(sum * 0x0001000100010001ull < (__u64)-(1ll << 20)))
		return false;
	hops = ttl & 0xfe;
	if (unlikely(!hops))
		return false;
	/* Few end with 0 or 255. */
	source += 0x01000000;
	here(source);
	if (unlikely(source < 0x02000000) && is_bad_source(source - 0x01000000))
		return false;
	hop = next_hop(target, to);
	if (!hop)
		return false;
	start = *(const volatile __u64 *)hop;
	if (unlikely(!start))
		return false;
	/* One hop less, and one more in the checksum: in ones' complement, of which 0xffff is 0 (RFC 1624). */
	if (unlikely(ttl >= 0xfffe0000))
		ttl += 0x10000;
	here(ttl);
	*(volatile __u64 *)data = start;
	*(volatile __u32 *)(data + 8) = to ? 0x10010000 : 0x10000000;
	*(volatile __u32 *)(data + ETHERNET + 8) = ttl + 0xffff;
	return true;
}

static __always_inline int forward(struct xdp_md *ctx, const int from)
{
	char *data, *end;
	__u32 first, wrong;
	long size, length;

	asm volatile("%0 = *(u32 *)(%2 + 0)\n\t"
		     "%1 = *(u32 *)(%2 + 4)"
		     : "=&r"(data), "=r"(end)
		     : "r"(ctx));
	if (unlikely(data + ETHERNET + IP > end))
		goto pass;
	if_any_bit(data[0], 1, pass);	/* to a group */
	if (unlikely(word16(data + 12) != 0x0008))
		goto pass;
	size = end - data;
	first = word32(data + ETHERNET);
	/* In host order version, header length, type of service and total length: all but the third are certain. */
	wrong = __builtin_bswap32(first);
	here(wrong);
	wrong -= (__u32)size + (0x45000000 - ETHERNET);
	if_any_bit(wrong, 0xff00ffff, different);
	if (unlikely(size > ETHERNET + MTU))
		goto pass;
	if (rewrite(data, first, from))
		return forwarded(from);
	goto pass;
different:
	/* Ethernet pads short packets. */
	length = __builtin_bswap16(word16(data + ETHERNET + 2));
	if ((first & 0xff) != 0x45 || length < IP || length > MTU || length > size - ETHERNET)
		goto pass;
	if (rewrite(data, first, from)) {
		if (bpf_xdp_adjust_tail(ctx, length - (size - ETHERNET)))
			return XDP_DROP;
		return forwarded(from);
	}
pass:
	counts_of_cpu()->passed[from]++;
	return XDP_PASS;
}

SEC("xdp")
int handwritten0(struct xdp_md *ctx)
{
	return forward(ctx, 0);
}

SEC("xdp")
int handwritten1(struct xdp_md *ctx)
{
	return forward(ctx, 1);
}

/* What no forwarder can do without: to be taken off the others. */
SEC("xdp")
int redirect(struct xdp_md *ctx)
{
	return bpf_redirect_map(&tx, 1, XDP_DROP);
}

char _license[] SEC("license") = "GPL";
