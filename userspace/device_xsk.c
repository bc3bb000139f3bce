/* AF_XDP sockets, one for each receive queue of a device, each with a UMEM of its own.
 *
 * Frames are copied out of the UMEM and into it: packets live in ordinary memory for as long as elements like, and no
 * device can run out of frames because a Queue holds them. What arrives has a handover record in front.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <xdp/xsk.h>
#include "poll.h"
#include "runtime.h"

#define FRAME_SIZE 4096
#define RECEIVE_FRAMES 2048
#define SEND_FRAMES 1024
#define FRAMES (RECEIVE_FRAMES + SEND_FRAMES)
#define BATCH 64
#define KICK_AFTER 50000	/* ns */

struct xsk_queue {
	struct poll_source source;
	struct task task;
	struct timer kick;
	struct runtime *runtime;
	int device;
	void *memory;
	struct xsk_umem *umem;
	struct xsk_socket *socket;
	struct xsk_ring_prod fill, tx;
	struct xsk_ring_cons completion, rx;
	__u32 waiting;			/* written to the tx ring, not yet submitted */
	__u32 outstanding;		/* submitted, not yet completed */
	__u32 unused;			/* frames to send with, in `frame` */
	__u64 frame[SEND_FRAMES];
};

struct xsk_device {
	struct device_output output;
	__u32 queues;
	struct xsk_queue *queue[DEVICE_TASKS];
};

/* -- receiving ----------------------------------------------------------------------------------------------------- */

static void wake_fill(struct xsk_queue *q)
{
	if (xsk_ring_prod__needs_wakeup(&q->fill))
		recvfrom(xsk_socket__fd(q->socket), NULL, 0, MSG_DONTWAIT, NULL, NULL);
}

static bool receive(struct task *task)
{
	struct xsk_queue *q = container_of(task, struct xsk_queue, task);
	__u32 from, to = 0, n = xsk_ring_cons__peek(&q->rx, BATCH, &from);
	__u64 time;

	if (!n) {
		wake_fill(q);
		return false;
	}
	time = wall_clock();
	for (__u32 i = 0; i < n; i++) {
		const struct xdp_desc *desc = xsk_ring_cons__rx_desc(&q->rx, from + i);

		handover_receive(q->runtime, xsk_umem__get_data(q->memory, desc->addr), desc->len, q->device, time);
		deferred_run(current);
	}
	/* The fill ring has room for every receive frame there is. */
	xsk_ring_prod__reserve(&q->fill, n, &to);
	for (__u32 i = 0; i < n; i++)
		*xsk_ring_prod__fill_addr(&q->fill, to + i) =
			xsk_ring_cons__rx_desc(&q->rx, from + i)->addr & ~(__u64)(FRAME_SIZE - 1);
	xsk_ring_prod__submit(&q->fill, n);
	xsk_ring_cons__release(&q->rx, n);
	wake_fill(q);
	if (n == BATCH)
		task_start(task);
	return true;
}

static void readable(struct poll_source *source)
{
	task_start(&container_of(source, struct xsk_queue, source)->task);
}

/* -- sending ------------------------------------------------------------------------------------------------------- */

static void reap(struct xsk_queue *q)
{
	__u32 from, n = xsk_ring_cons__peek(&q->completion, SEND_FRAMES, &from);

	for (__u32 i = 0; i < n; i++)
		q->frame[q->unused++] = *xsk_ring_cons__comp_addr(&q->completion, from + i);
	xsk_ring_cons__release(&q->completion, n);
	q->outstanding -= n;
}

/* Submit what is in the ring and have the kernel send it; in copy mode it sends some 32 frames a call. */
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
			sendto(xsk_socket__fd(q->socket), NULL, 0, MSG_DONTWAIT, NULL, 0);
		reap(q);
	} while (q->outstanding < before);
	timer_start(&q->kick, now() + KICK_AFTER);
}

static void kick(struct timer *timer)
{
	submit(container_of(timer, struct xsk_queue, kick));
}

static int xsk_send(struct device_output *output, struct pkt *p)
{
	struct xsk_queue *q = container_of(output, struct xsk_device, output)->queue[0];
	__u32 at, length = pkt_len(p);
	struct xdp_desc *desc;

	if (length > FRAME_SIZE)
		return -EMSGSIZE;
	if (length < 14)
		return -EINVAL;
	if (!q->unused)
		submit(q);
	if (!q->unused || !xsk_ring_prod__reserve(&q->tx, 1, &at))
		return DEVICE_BUSY;
	desc = xsk_ring_prod__tx_desc(&q->tx, at);
	desc->addr = q->frame[--q->unused];
	desc->len = length;
	desc->options = 0;
	memcpy(xsk_umem__get_data(q->memory, desc->addr), p->data, length);
	q->waiting++;
	pkt_free(p);
	return 0;
}

static void xsk_flush(struct device_output *output)
{
	struct xsk_queue *q = container_of(output, struct xsk_device, output)->queue[0];

	if (q->waiting)
		submit(q);
}

/* -- setting up ---------------------------------------------------------------------------------------------------- */

static void queue_destroy(struct xsk_queue *q)
{
	task_cancel(&q->task);
	timer_cancel(&q->kick);
	if (q->socket)
		xsk_socket__delete(q->socket);
	if (q->umem)
		xsk_umem__delete(q->umem);
	if (q->memory != MAP_FAILED)
		munmap(q->memory, (size_t)FRAMES * FRAME_SIZE);
	free(q);
}

static void xsk_destroy(struct device_output *output)
{
	struct xsk_device *device = container_of(output, struct xsk_device, output);

	for (__u32 i = 0; i < device->queues; i++)
		queue_destroy(device->queue[i]);
	free(device);
}

static const struct output_ops xsk_ops = {
	.send = xsk_send,
	.flush = xsk_flush,
	.destroy = xsk_destroy,
};

static int queue_open(struct xsk_queue *q, const char *ifname, __u32 number)
{
	const struct xsk_umem_config umem = {
		.fill_size = RECEIVE_FRAMES,
		.comp_size = SEND_FRAMES,
		.frame_size = FRAME_SIZE,
	};
	const struct xsk_socket_config socket = {
		.rx_size = RECEIVE_FRAMES,
		.tx_size = SEND_FRAMES,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
		.bind_flags = XDP_USE_NEED_WAKEUP,
	};
	__u32 at = 0;
	int error;

	q->memory = mmap(NULL, (size_t)FRAMES * FRAME_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (q->memory == MAP_FAILED)
		return -errno;
	error = xsk_umem__create(&q->umem, q->memory, (__u64)FRAMES * FRAME_SIZE, &q->fill, &q->completion, &umem);
	if (error)
		return error;
	error = xsk_socket__create(&q->socket, ifname, number, q->umem, &q->rx, &q->tx, &socket);
	if (error)
		return error;
	xsk_ring_prod__reserve(&q->fill, RECEIVE_FRAMES, &at);
	for (__u32 i = 0; i < RECEIVE_FRAMES; i++)
		*xsk_ring_prod__fill_addr(&q->fill, at + i) = (__u64)i * FRAME_SIZE;
	xsk_ring_prod__submit(&q->fill, RECEIVE_FRAMES);
	for (__u32 i = 0; i < SEND_FRAMES; i++)
		q->frame[q->unused++] = (__u64)(RECEIVE_FRAMES + i) * FRAME_SIZE;
	return poll_watch(q->task.thread, xsk_socket__fd(q->socket), WATCH_READ, &q->source);
}

static struct xsk_device *device_of(struct runtime *runtime, __u32 number)
{
	struct device_output *output = runtime->device[number].output[SIDE_WIRE];
	struct xsk_device *device;

	if (output)
		return output->ops == &xsk_ops ? container_of(output, struct xsk_device, output) : NULL;
	device = calloc(1, sizeof(*device));
	if (!device)
		return NULL;
	device->output.ops = &xsk_ops;
	return device;
}

int runtime_add_xsk(struct runtime *runtime, __u32 number, const char *ifname, __u32 queue)
{
	struct thread *thread = &runtime->thread[0];
	struct xsk_device *device = number < runtime->code->devices ? device_of(runtime, number) : NULL;
	struct xsk_queue *q;
	int error;

	if (!device || device->queues == DEVICE_TASKS)
		return -EINVAL;
	q = calloc(1, sizeof(*q));
	if (!q)
		return -ENOMEM;
	q->source.ready = readable;
	q->task = (struct task){.run = receive, .thread = thread, .stride = STRIDE_ONE / TICKETS};
	q->kick = (struct timer){.run = kick, .thread = thread};
	q->runtime = runtime;
	q->device = number;
	thread_enter(thread);
	error = queue_open(q, ifname, queue);
	if (!error) {
		device->queue[device->queues++] = q;
		runtime->device[number].output[SIDE_WIRE] = &device->output;
	} else {
		queue_destroy(q);
		if (!device->queues)
			free(device);
	}
	thread_leave(thread);
	return error ?: xsk_socket__fd(q->socket);
}
