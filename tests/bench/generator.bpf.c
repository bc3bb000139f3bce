/* A packet source for benchmarks, what forwards its packets bare, and a sink. Run with live frames (BPF_F_TEST_XDP_LIVE_FRAMES), a
 * source sends one frame again and again. Frames are recycled with what the router did to them, so each is written anew.
 *
 * `generate` sends out of a device on the CPU that runs it, where the device's other end gets the frames, too.
 * `generate_apart` and `pace_apart` send to another CPU, where `pass_on` sends them out of the device: so the other end is on that CPU,
 * whose queue has room for as many frames as a network card's, and drops what comes while it is full.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define FRAME_SIZE 64
#define WORDS (FRAME_SIZE / 8)
#define SOURCE 29	/* the byte that flows differ in */
#define STAMP 6		/* the word of the payload, at byte 48, that paced frames have the time in */
#define BEHIND 100000	/* ns: who was kept from sending for longer doesn't catch up */
#define PARTS 16	/* ranges of each power of two of the histogram */

const volatile __u64 frame[WORDS] = {};
const volatile __u32 flows = 1;	/* at most 256, by the last byte of the source address; the header's checksum is that of one */
const volatile __u32 ifindex = 0;
const volatile __u32 cpu = 0;	/* the other one */

/* What is known, and wanted, outside: in .bss. One CPU writes each. */
volatile __u64 sent, received;	/* frames */
volatile __u64 interval;	/* ns from one paced frame to the next; 0: as fast as it goes */
volatile __u64 histogram[64 * PARTS];	/* of stamped frames: times from source to sink, by powers of two and their parts */
static __u64 due;

struct {
	__uint(type, BPF_MAP_TYPE_CPUMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_cpumap_val);
} apart SEC(".maps");

static __always_inline int written(struct xdp_md *ctx, __u64 stamp)
{
	volatile __u64 *word = (void *)(long)ctx->data;

	if ((void *)word + FRAME_SIZE > (void *)(long)ctx->data_end)
		return 0;
#pragma unroll
	for (int i = 0; i < WORDS; i++)
		word[i] = i == STAMP && stamp ? stamp : frame[i];
	if (flows > 1)
		((volatile __u8 *)word)[SOURCE] = sent % flows;
	sent++;
	return 1;
}

/* The time if a frame is due, or 0. */
static __always_inline __u64 due_now(void)
{
	__u64 now = bpf_ktime_get_ns();

	if (now < due)
		return 0;
	due = (now - due > BEHIND ? now : due) + interval;
	return now;
}

SEC("xdp")
int generate(struct xdp_md *ctx)
{
	return written(ctx, 0) ? bpf_redirect(ifindex, 0) : XDP_DROP;
}

SEC("xdp")
int generate_apart(struct xdp_md *ctx)
{
	return written(ctx, 0) ? bpf_redirect_map(&apart, cpu, XDP_DROP) : XDP_DROP;
}

SEC("xdp")
int pace_apart(struct xdp_md *ctx)
{
	__u64 now = due_now();

	return now && written(ctx, now) ? bpf_redirect_map(&apart, cpu, XDP_DROP) : XDP_DROP;
}

SEC("xdp/cpumap")
int pass_on(struct xdp_md *ctx)
{
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
	received++;
	return XDP_DROP;
}

/* The place of the highest bit; there is no instruction for it. */
static __always_inline __u32 log2_of(__u64 value)
{
	__u32 bits = 0;

#pragma unroll
	for (int half = 32; half; half /= 2)
		if (value >> half) {
			value >>= half;
			bits += half;
		}
	return bits;
}

SEC("xdp")
int time_sink(struct xdp_md *ctx)
{
	__u64 *word = (void *)(long)ctx->data, passed;
	__u32 power, place;

	received++;
	if ((void *)word + FRAME_SIZE > (void *)(long)ctx->data_end || word[STAMP] == frame[STAMP])
		return XDP_DROP;
	passed = bpf_ktime_get_ns() - word[STAMP];
	power = log2_of(passed | PARTS);
	place = power * PARTS + (passed >> (power - 4) & (PARTS - 1));
	if (place < 64 * PARTS)
		histogram[place]++;
	return XDP_DROP;
}

SEC("xdp")
int nothing(struct xdp_md *ctx)
{
	return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
