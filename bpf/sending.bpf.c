/* Sends packets of the runtime as XDP frames, without socket buffers. The runtime (userspace/volley.c) writes a frame into a tap
 * device, whose program broadcasts it to a devmap with the same device in all entries: the device gets as many copies. For each copy,
 * before the driver gets it, the kernel runs a devmap program, which replaces the copy by the next packet of a batch. A program at a
 * tracepoint counts the frames that the driver then refuses.
 */
#include "batch.h"
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* One for each thread of the runtime. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct batch);
} batches SEC(".maps");

/* The batch that this CPU makes packets of, plus 1: the driver gets them, and the tracepoint is reached, before anything else is
 * redirected on this CPU.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} current_batch SEC(".maps");

/* Maps with the same device in all entries; each is a volley. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, MOST_VOLLEYS);
	__type(key, __u32);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_DEVMAP);
		__uint(max_entries, 1);
		__uint(key_size, sizeof(__u32));
		__uint(value_size, sizeof(struct bpf_devmap_val));
	});
} volleys SEC(".maps");

/* At the tap device: a frame begins with its volley's number. */
SEC("xdp")
int volley(struct xdp_md *ctx)
{
	const __u32 *number = (void *)(long)ctx->data;
	void *devices;

	if ((void *)(number + 1) > (void *)(long)ctx->data_end)
		return XDP_DROP;
	devices = bpf_map_lookup_elem(&volleys, number);
	return devices ? bpf_redirect_map(devices, 0, BPF_F_BROADCAST) : XDP_DROP;
}

static __always_inline __u32 *batch_of_cpu(void)
{
	const __u32 zero = 0;

	return bpf_map_lookup_elem(&current_batch, &zero);
}

SEC("xdp/devmap")
int sending(struct xdp_md *ctx)
{
	const int have = (int)(ctx->data_end - ctx->data);
	const __u32 number = have - BATCH_FRAME;
	struct batch *batch = bpf_map_lookup_elem(&batches, &number);
	struct record *record;
	__u32 length, *of_cpu = batch_of_cpu();

	if (!batch || !of_cpu)
		return XDP_DROP;
	*of_cpu = number + 1;
	if (!batch->left) {	/* the frame that was copied, not a packet; what is dropped here counts as refused */
		batch->refused--;
		return XDP_DROP;
	}
	record = (void *)&batch->records[batch->at & (BATCH_BYTES - RECORD_ALIGN)];
	batch->left--;
	batch->at = record->next;
	length = record->length;	/* read once: it is in memory that the runtime writes */
	if (length > RECORD_MOST || bpf_xdp_adjust_tail(ctx, (int)length - have))
		return XDP_DROP;
	length = ((length - 1) & 4095) + 1;	/* Linux 6.1's verifier gets the bound from a mask only */
	return bpf_xdp_store_bytes(ctx, 0, (void *)(record + 1), length) ? XDP_DROP : XDP_PASS;
}

/* from, to, frames that the driver took, frames that it refused, error */
SEC("tp_btf/xdp_devmap_xmit")
int refused(__u64 *arguments)
{
	__u32 *of_cpu = batch_of_cpu(), number;
	struct batch *batch;

	if (!of_cpu || !*of_cpu)
		return 0;
	number = *of_cpu - 1;
	*of_cpu = 0;
	batch = bpf_map_lookup_elem(&batches, &number);
	if (batch)
		batch->refused += (int)arguments[3];
	return 0;
}

char _license[] SEC("license") = "GPL";
