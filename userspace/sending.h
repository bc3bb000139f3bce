/* Packets that the runtime sends in batches, by a BPF program (bpf/sending.bpf.c). */
#pragma once

#include "batch.h"
#include "runtime.h"
#include "xsk.h"

/* One thread's state of a device that sends in batches. */
struct tx_queue {
	__u32 waiting;			/* its packets in the batch */
	__u32 first, last;		/* their records */
	__u32 promised;			/* places reserved for them in its socket */
	__u64 sockets_until;		/* after it has refused frames, use the socket, where packets can wait, until then */
};

/* One thread's batch, guarded by the thread's lock. */
struct sending {
	struct sender *sender;
	struct batch *batch;
	__u32 number;
	__u32 waiting;			/* packets in the batch */
	__u32 end;			/* where the next one goes */
	__u32 queues;			/* how many devices there are */
	struct tx_queue *queue;		/* [queues] */
	struct sending_counts counts;
};

/* Put a frame into the current thread's batch; or into the device's socket, if that can't reserve room for a batch. 0, or
 * DEVICE_BUSY.
 */
int sending_add(struct sending *sending, struct xsk_device *device, const void *frame, __u32 length);
