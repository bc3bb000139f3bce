/* Sends packets of the runtime as XDP frames, without socket buffers. The runtime runs this program by BPF_PROG_TEST_RUN on live
 * frames, once for each packet of a batch: a run fills the frame that it is given with the next packet, and redirects it.
 *
 * The program is attached to an idle device as well: otherwise each call would wait for the kernel to enter it among the programs that
 * are called directly, some 25 to 50 ms.
 */
#include "batch.h"
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define LOOPBACK 1	/* the device that test runs seem to come from */

/* As many as the runtime has threads. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct batch);
} batches SEC(".maps");

/* The devices to send by: ifindex -> ifindex. */
struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u32);
} ways SEC(".maps");

/* XDP_REDIRECT, or another verdict if the record can't be sent. */
static __always_inline int send_record(struct xdp_md *ctx, int have, const struct record *record)
{
	__u32 length = record->length;	/* read once: it is in memory that the runtime writes */

	if (length > RECORD_MOST || bpf_xdp_adjust_tail(ctx, (int)length - have))
		return XDP_DROP;
	length = ((length - 1) & 4095) + 1;	/* the form of a bound that the verifier of 6.1 follows */
	if (bpf_xdp_store_bytes(ctx, 0, (void *)(record + 1), length))
		return XDP_DROP;
	return bpf_redirect_map(&ways, record->to, XDP_DROP);
}

SEC("xdp")
int sending(struct xdp_md *ctx)
{
	const int have = (int)(ctx->data_end - ctx->data);
	const __u32 number = have - BATCH_FRAME;
	struct batch *batch = bpf_map_lookup_elem(&batches, &number);
	struct record *record;
	int verdict;

	if (ctx->ingress_ifindex != LOOPBACK || !batch || !batch->left)
		return XDP_DROP;
	record = (void *)&batch->records[batch->at & (BATCH_BYTES - RECORD_ALIGN)];
	batch->left--;
	batch->at += RECORD_SIZE(record->length);
	verdict = send_record(ctx, have, record);
	if (verdict != XDP_REDIRECT) {
		record->failed = 1;
		batch->failed++;
	}
	return verdict;
}

char _license[] SEC("license") = "GPL";
