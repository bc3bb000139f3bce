/* AF_XDP sockets of a device, within the runtime: device_xsk.c makes them, xsk_receive.c receives, xsk_send.c sends.
 *
 * Each receive queue has a socket with its own UMEM. Packets are copied into ordinary memory, so that no device runs out of frames
 * because a Queue holds packets. Received packets have a handover record in front; those in several frames are put together first.
 */
#pragma once

#include <xdp/xsk.h>
#include "handover.h"
#include "poll.h"
#include "runtime.h"

#define FRAME_SIZE 4096
#define RECEIVE_FRAMES HANDOVER_RING
#define SEND_FRAMES 1024
#define FRAMES (RECEIVE_FRAMES + SEND_FRAMES)

/* Long packets span several frames, if the socket is bound with IN_PARTS; descriptors of all frames but the last have CONTINUED.
 * These are XDP_USE_SG and XDP_PKT_CONTD of <linux/if_xdp.h> since Linux 6.6. Packets, including their records, are shorter than
 * LONGEST.
 */
#define CONTINUED (1 << 0)
#define IN_PARTS (1 << 4)
#define LONGEST 65536

struct xsk_queue {
	struct poll_source source;
	struct task task;
	struct timer kick;
	struct runtime *runtime;
	int device;
	__u32 number;			/* among the device's queues */
	void *memory;
	struct xsk_umem *umem;
	struct xsk_socket *socket;
	struct xsk_ring_prod fill, tx;
	struct xsk_ring_cons completion, rx;
	__u32 batches;			/* since losses were last counted */
	__u64 lost;			/* packets that the socket had no room for */
	__u8 *parts;			/* LONGEST bytes for the parts of a packet; NULL if none comes in parts */
	__u32 gathered;			/* bytes there of an incomplete packet */
	bool used_up;			/* the host has found the budget used up, but no packet here */

	/* For sending, by any thread, under the lock. */
	struct lock lock;
	__u32 waiting;			/* written to the tx ring, not yet submitted */
	__u32 outstanding;		/* submitted, not yet completed */
	__u32 unused;			/* free frames, in `frame` ... */
	__u32 promised;			/* ... of which this many are reserved for batches */
	__u64 frame[SEND_FRAMES];
};

struct xsk_device {
	struct device_output output;
	__u32 number;			/* of the router's devices */
	struct volleys *volleys;	/* for sending in batches (sending.c), or NULL */
	__u32 queues;
	struct xsk_queue *queue[DEVICE_TASKS];
};

static inline struct xsk_device *xsk_of(struct device_output *output)
{
	return container_of(output, struct xsk_device, output);
}

extern const struct output_ops xsk_ops;

/* A device of the router, if it has sockets. */
static inline struct xsk_device *xsk_device_of(const struct runtime *runtime, __u32 number)
{
	struct device_output *output = runtime->device[number].output[SIDE_WIRE];

	return output && output->ops == &xsk_ops ? xsk_of(output) : NULL;
}

/* Functions of a queue's task, poll source and timer. */
bool xsk_receive(struct task *task);
void xsk_readable(struct poll_source *source);
void xsk_kick(struct timer *timer);

/* Count packets that were lost on the way into a queue since the last call. */
void xsk_count_losses(struct xsk_queue *q);
/* Process the packets in all of a runtime's sockets that its kernel path has sent. */
void xsk_drain(const struct runtime *runtime);

/* Operations of the device (struct output_ops). */
int xsk_send(struct device_output *output, struct pkt *p);
void xsk_flush(struct device_output *output);

/* By the current thread's queue: write a frame to the ring; 0 or DEVICE_BUSY. */
int xsk_enqueue(struct xsk_device *device, const void *frame, __u32 length);
/* Reserve room for `frames` frames, false if there is less; use one of these places; give back the unused ones. */
bool xsk_promise(struct xsk_device *device, __u32 frames);
void xsk_enqueue_promised(struct xsk_device *device, const void *frame, __u32 length);
void xsk_promise_back(struct xsk_device *device, __u32 frames);
/* Flush the ring; true if everything has been sent. */
bool xsk_has_sent(struct xsk_device *device);
