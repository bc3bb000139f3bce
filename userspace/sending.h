/* What the runtime sends by a program of the kernel (bpf/sending.bpf.c), in batches. */
#ifndef CLICKBPF_SENDING_H
#define CLICKBPF_SENDING_H

#include "batch.h"
#include "runtime.h"
#include "xsk.h"

/* One thread's batch. Nobody else writes to it: whoever sends holds the thread's lock. */
struct sending {
	struct sender *sender;
	struct batch *batch;
	__u32 number;
	__u32 waiting;			/* packets in the batch */
	__u32 end;			/* where the next one goes */
	struct timer retry;
	__u64 sockets_until;		/* the kernel keeps callers waiting: until then by the sockets */
	__u64 looked_at;		/* when the devices were found up */
	bool up;
	struct sending_counts counts;
};

/* Put a frame into the current thread's batch: 0, or DEVICE_BUSY. */
int sending_add(struct sending *sending, const struct xsk_device *device, const void *frame, __u32 length);

#endif
