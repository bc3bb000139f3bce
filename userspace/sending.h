/* What the runtime sends by a program of the kernel (bpf/sending.bpf.c), in batches. */
#pragma once

#include "batch.h"
#include "runtime.h"
#include "xsk.h"

/* A device, for one thread. */
struct way {
	__u32 waiting;			/* its packets in the batch */
	__u32 first, last;		/* where these are */
	__u32 promised;			/* places that its socket keeps for them */
	__u64 sockets_until;		/* it has refused frames: until then by the socket, where packets can wait */
};

/* One thread's batch. Nobody else writes to it: whoever sends holds the thread's lock. */
struct sending {
	struct sender *sender;
	struct batch *batch;
	__u32 number;
	__u32 waiting;			/* packets in the batch */
	__u32 end;			/* where the next one goes */
	__u32 ways;			/* how many devices there are */
	struct way *way;		/* [ways] */
	struct sending_counts counts;
};

/* Put a frame into the current thread's batch; or, if there may soon be no room in the device's socket, into that. 0, or DEVICE_BUSY. */
int sending_add(struct sending *sending, struct xsk_device *device, const void *frame, __u32 length);
