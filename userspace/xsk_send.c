/* AF_XDP sockets: sending packets. */
#include <errno.h>
#include <sys/socket.h>
#include "sending.h"
#include "xsk.h"

#define KICK_AFTER 50000	/* ns */

static void reap(struct xsk_queue *q)
{
	__u32 from, n = xsk_ring_cons__peek(&q->completion, SEND_FRAMES, &from);

	for (__u32 i = 0; i < n; i++)
		q->frame[q->unused++] = *xsk_ring_cons__comp_addr(&q->completion, from + i);
	xsk_ring_cons__release(&q->completion, n);
	q->outstanding -= n;
}

/* The device is gone for good: take back the frames in the ring, and count them. */
static void lose(struct xsk_queue *q)
{
	const __u32 from = __atomic_load_n(q->tx.consumer, __ATOMIC_ACQUIRE);
	__u32 packets = 0;

	for (; q->tx.cached_prod != from; q->outstanding--) {
		const struct xdp_desc *desc = xsk_ring_prod__tx_desc(&q->tx, --q->tx.cached_prod);

		packets += !(desc->options & CONTINUED);
		q->frame[q->unused++] = desc->addr;
	}
	__atomic_store_n(q->tx.producer, from, __ATOMIC_RELEASE);
	device_refused(q->runtime, q->device, packets);
}

/* Make the kernel send. It returns EBUSY when the driver has dropped a packet, and ENXIO if the device is gone. */
static void call(struct xsk_queue *q)
{
	if (sendto(xsk_socket__fd(q->socket), NULL, 0, MSG_DONTWAIT, NULL, 0) >= 0)
		return;
	if (errno == EBUSY)
		device_refused(q->runtime, q->device, 1);
	else if (errno == ENXIO)
		lose(q);
}

/* Submit the frames in the ring and have the kernel send them, some 32 a call in copy mode. The loop ends with a call that
 * completes nothing, so there are at most SEND_FRAMES calls.
 */
static void submit(struct xsk_queue *q)
{
	__u32 before;

	if (q->waiting) {
		xsk_ring_prod__submit(&q->tx, q->waiting);
		q->outstanding += q->waiting;
		q->waiting = 0;
	}
	do {
		before = q->outstanding;
		if (!before)
			return;
		if (xsk_ring_prod__needs_wakeup(&q->tx))
			call(q);
		reap(q);
	} while (q->outstanding < before);
	timer_start(&q->kick, now() + KICK_AFTER);
}

void xsk_kick(struct timer *timer)
{
	struct xsk_queue *q = container_of(timer, struct xsk_queue, kick);

	lock_take(&q->lock);
	if (timer_is_due(timer))
		submit(q);
	lock_release(&q->lock);
}

/* A thread sends by its own queue, if the device has enough queues. */
static struct xsk_queue *own_queue(const struct xsk_device *device)
{
	return device->queue[this_thread() % device->queues];
}

/* Frames of the socket that a packet takes. */
static __u32 frames_of(__u32 length)
{
	return (length - 1) / FRAME_SIZE + 1;
}

/* The caller has checked that there are free frames; the ring has a place for each. */
static void enqueue(struct xsk_queue *q, const void *frame, __u32 length)
{
	const __u32 frames = frames_of(length);
	__u32 at = 0;

	xsk_ring_prod__reserve(&q->tx, frames, &at);
	for (__u32 i = 0; i < frames; i++) {
		struct xdp_desc *desc = xsk_ring_prod__tx_desc(&q->tx, at + i);
		const bool last = i + 1 == frames;

		desc->addr = q->frame[--q->unused];
		desc->len = last ? length - i * FRAME_SIZE : FRAME_SIZE;
		desc->options = last ? 0 : CONTINUED;
		memcpy(xsk_umem__get_data(q->memory, desc->addr), (const __u8 *)frame + i * FRAME_SIZE, desc->len);
	}
	q->waiting += frames;
}

int xsk_enqueue(struct xsk_device *device, const void *frame, __u32 length)
{
	struct xsk_queue *q = own_queue(device);
	const __u32 frames = frames_of(length);
	int error = 0;

	lock_take(&q->lock);
	if (q->unused < q->promised + frames)
		submit(q);
	if (q->unused < q->promised + frames)
		error = DEVICE_BUSY;
	else
		enqueue(q, frame, length);
	lock_release(&q->lock);
	return error;
}

bool xsk_promise(struct xsk_device *device, __u32 frames)
{
	struct xsk_queue *q = own_queue(device);
	bool kept;

	lock_take(&q->lock);
	kept = q->unused >= q->promised + frames;
	if (kept)
		q->promised += frames;
	lock_release(&q->lock);
	return kept;
}

void xsk_enqueue_promised(struct xsk_device *device, const void *frame, __u32 length)
{
	struct xsk_queue *q = own_queue(device);

	lock_take(&q->lock);
	q->promised--;
	enqueue(q, frame, length);
	lock_release(&q->lock);
}

void xsk_promise_back(struct xsk_device *device, __u32 frames)
{
	struct xsk_queue *q = own_queue(device);

	lock_take(&q->lock);
	q->promised -= frames;
	lock_release(&q->lock);
}

/* Send a packet too long for a batch by the socket, after all packets before it. */
static int send_long(struct sending *sending, struct xsk_device *device, struct pkt *p, __u32 length)
{
	int error;

	sending_flush(sending);
	error = xsk_enqueue(device, p->data, length);
	xsk_flush(&device->output);
	return error;
}

int xsk_send(struct device_output *output, struct pkt *p)
{
	struct xsk_device *device = xsk_of(output);
	struct sending *sending = device->volleys ? current->sending : NULL;
	__u32 length = pkt_len(p);
	int error;

	if (length >= (device->queue[0]->parts ? LONGEST : FRAME_SIZE + 1))
		return -EMSGSIZE;
	if (length < 14)
		return -EINVAL;
	if (!sending)
		error = xsk_enqueue(device, p->data, length);
	else if (length > RECORD_MOST)
		error = send_long(sending, device, p, length);
	else
		error = sending_add(sending, device, p->data, length);
	if (!error)
		pkt_free(p);
	return error;
}

void xsk_flush(struct device_output *output)
{
	struct xsk_queue *q = own_queue(xsk_of(output));

	lock_take(&q->lock);
	if (q->waiting)
		submit(q);
	lock_release(&q->lock);
}

bool xsk_has_sent(struct xsk_device *device)
{
	struct xsk_queue *q = own_queue(device);
	bool all;

	lock_take(&q->lock);
	submit(q);
	all = !q->outstanding;
	lock_release(&q->lock);
	return all;
}
