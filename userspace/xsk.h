/* AF_XDP sockets of a device, within the runtime: device_xsk.c makes them, xsk_receive.c receives, xsk_send.c sends.
 *
 * A receive queue has a socket with a UMEM of its own. Frames are copied out of the UMEM and into it: packets live in ordinary
 * memory for as long as elements keep them, and no device can run out of frames because a Queue holds them. Arriving packets have
 * a handover record in front; those in several frames are put together first.
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

/* Long packets are in several frames, if the socket is bound for that (Linux 6.6): bits of a descriptor, which all but the last have, and
 * of the socket, as <linux/if_xdp.h> has them since then. All packets, with their records, are shorter than LONGEST.
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
	__u32 batches;			/* since the losses were counted */
	__u64 lost;			/* packets that the socket had no room for */
	__u8 *parts;			/* LONGEST bytes for the parts of a packet; NULL if none comes in parts */
	__u32 gathered;			/* bytes of a packet there of which more parts are to come */
	bool used_up;			/* the host has found all places used up, and no packet here */

	/* Sending: any thread may, under the lock. */
	struct lock lock;
	__u32 waiting;			/* written to the tx ring, not yet submitted */
	__u32 outstanding;		/* submitted, not yet completed */
	__u32 unused;			/* frames to send with, in `frame` ... */
	__u32 promised;			/* ... of which so many are kept for batches */
	__u64 frame[SEND_FRAMES];
};

struct xsk_device {
	struct device_output output;
	__u32 number;			/* of the router's devices */
	struct volleys *volleys;	/* by which packets leave in batches, too (sending.c); or NULL */
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

/* Operations of the device (struct output_ops). */
void xsk_account(struct device_output *output);
void xsk_drain(struct device_output *output);
void xsk_refuse(struct device_output *output);
int xsk_send(struct device_output *output, struct pkt *p);
void xsk_flush(struct device_output *output);

/* As the current thread, by its queue: write a frame to the ring, 0 or DEVICE_BUSY; flush the ring, true if it is empty then. */
int xsk_enqueue(struct xsk_device *device, const void *frame, __u32 length);
/* Keep room for so many frames: false if there isn't as much. Use a place of them; give back what wasn't used. */
bool xsk_promise(struct xsk_device *device, __u32 frames);
void xsk_enqueue_promised(struct xsk_device *device, const void *frame, __u32 length);
void xsk_promise_back(struct xsk_device *device, __u32 frames);
bool xsk_has_sent(struct xsk_device *device);
