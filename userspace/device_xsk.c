/* AF_XDP sockets, one for each receive queue of a device, each with a UMEM of its own.
 *
 * Frames are copied out of the UMEM and into it: packets live in ordinary memory for as long as elements like, and no
 * device can run out of frames because a Queue holds them. What arrives has a handover record in front.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xdp/xsk.h>
#include "handover.h"
#include "poll.h"
#include "runtime.h"

#define FRAME_SIZE 4096
#define RECEIVE_FRAMES HANDOVER_RING
#define SEND_FRAMES 1024
#define FRAMES (RECEIVE_FRAMES + SEND_FRAMES)
#define BATCH HANDOVER_BATCH
#define KICK_AFTER 50000	/* ns */
#define ACCOUNT_EVERY 64	/* batches, while there are always more packets */

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

	/* Sending: any thread may, under the lock. */
	struct lock lock;
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

static void take(struct xsk_queue *q, const struct xdp_desc *desc, __u64 time)
{
	handover_receive(q->runtime, xsk_umem__get_data(q->memory, desc->addr), desc->len, q->device, time);
	deferred_run(current);
}

/* The fill ring has room for every receive frame there is. */
static void give_back(struct xsk_queue *q, __u32 from, __u32 n)
{
	__u32 to = 0;

	xsk_ring_prod__reserve(&q->fill, n, &to);
	for (__u32 i = 0; i < n; i++)
		*xsk_ring_prod__fill_addr(&q->fill, to + i) =
			xsk_ring_cons__rx_desc(&q->rx, from + i)->addr & ~(__u64)(FRAME_SIZE - 1);
	xsk_ring_prod__submit(&q->fill, n);
	xsk_ring_cons__release(&q->rx, n);
}

/* The socket counts what comes while its ring is full, or all frames are in it: nobody else does. */
static void count_losses(struct xsk_queue *q)
{
	struct xdp_statistics s = {};
	socklen_t size = sizeof(s);

	q->batches = 0;
	if (getsockopt(xsk_socket__fd(q->socket), SOL_XDP, XDP_STATISTICS, &s, &size))
		return;
	device_account(q->runtime, q->device, DROP_OVERRUN, s.rx_dropped + s.rx_ring_full - q->lost);
	q->lost = s.rx_dropped + s.rx_ring_full;
}

static void xsk_account(struct device_output *output)
{
	struct xsk_device *device = container_of(output, struct xsk_device, output);

	for (__u32 i = 0; i < device->queues; i++)
		count_losses(device->queue[i]);
}

/* All that had come is taken, or is about to be: the kernel path may hand over as much again. */
static void end_round(struct xsk_queue *q)
{
	const struct runtime *runtime = q->runtime;

	if (runtime->handed && q->number < runtime->handed_queues)
		__atomic_add_fetch(&runtime->handed[q->device * runtime->handed_queues + q->number].round, 1, __ATOMIC_RELAXED);
}

static bool receive(struct task *task)
{
	struct xsk_queue *q = container_of(task, struct xsk_queue, task);
	__u32 from, n = xsk_ring_cons__peek(&q->rx, BATCH, &from);
	__u64 time;

	if (n < BATCH)
		end_round(q);
	if (!n) {
		if (q->batches)
			count_losses(q);
		wake_fill(q);
		return false;
	}
	looks_drain(q->runtime->looks);	/* elements that these packets have passed come before those that they go on to */
	time = wall_clock();
	for (__u32 i = 0; i < n; i++)
		take(q, xsk_ring_cons__rx_desc(&q->rx, from + i), time);
	give_back(q, from, n);
	wake_fill(q);
	if (n == BATCH)
		task_start(task);
	q->batches += n == BATCH;
	if (q->batches >= ACCOUNT_EVERY || (q->batches && n < BATCH))
		count_losses(q);
	return true;
}

/* Take the frames that the kernel path of this router has sent here, up to the first one that belongs to another router. The ring
 * shows the frames that it held when it was last looked at, as long as any of these are left; only then the frames that have come since.
 */
static void drain_queue(struct xsk_queue *q)
{
	__u32 from, taken, n;

	do {
		n = xsk_ring_cons__peek(&q->rx, RECEIVE_FRAMES, &from);
		for (taken = 0; taken < n; taken++) {
			const struct xdp_desc *desc = xsk_ring_cons__rx_desc(&q->rx, from + taken);

			if (!handover_is_for(q->runtime, xsk_umem__get_data(q->memory, desc->addr), desc->len))
				break;
			take(q, desc, wall_clock());
		}
		xsk_ring_cons__cancel(&q->rx, n - taken);
		give_back(q, from, taken);
	} while (n && taken == n);
}

static void xsk_drain(struct device_output *output)
{
	struct xsk_device *device = container_of(output, struct xsk_device, output);

	for (__u32 i = 0; i < device->queues; i++) {
		current = thread_of(&device->queue[i]->task);
		drain_queue(device->queue[i]);
	}
}

/* What waits here is dropped; the kernel path sends no more. */
static void xsk_refuse(struct device_output *output)
{
	struct xsk_device *device = container_of(output, struct xsk_device, output);

	for (__u32 i = 0; i < device->queues; i++) {
		struct xsk_queue *q = device->queue[i];
		__u32 from, n;

		while ((n = xsk_ring_cons__peek(&q->rx, RECEIVE_FRAMES, &from))) {
			give_back(q, from, n);
			device_account(q->runtime, q->device, DROP_NO_RUNTIME, n);
		}
	}
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

/* Submit what is in the ring and have the kernel send it; in copy mode it sends some 32 frames a call. No call that sends nothing
 * is followed by another, so there are at most as many as frames, SEND_FRAMES.
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
			sendto(xsk_socket__fd(q->socket), NULL, 0, MSG_DONTWAIT, NULL, 0);
		reap(q);
	} while (q->outstanding < before);
	timer_start(&q->kick, now() + KICK_AFTER);
}

static void kick(struct timer *timer)
{
	struct xsk_queue *q = container_of(timer, struct xsk_queue, kick);

	lock_take(&q->lock);
	if (timer_is_due(timer))
		submit(q);
	lock_release(&q->lock);
}

/* A thread sends by its own queue, if the device has one for it. */
static struct xsk_queue *own_queue(struct device_output *output)
{
	struct xsk_device *device = container_of(output, struct xsk_device, output);

	return device->queue[this_thread() % device->queues];
}

static int enqueue(struct xsk_queue *q, struct pkt *p, __u32 length)
{
	struct xdp_desc *desc;
	__u32 at;

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
	return 0;
}

static int xsk_send(struct device_output *output, struct pkt *p)
{
	struct xsk_queue *q = own_queue(output);
	__u32 length = pkt_len(p);
	int error;

	if (length > FRAME_SIZE)
		return -EMSGSIZE;
	if (length < 14)
		return -EINVAL;
	lock_take(&q->lock);
	error = enqueue(q, p, length);
	lock_release(&q->lock);
	if (!error)
		pkt_free(p);
	return error;
}

static void xsk_flush(struct device_output *output)
{
	struct xsk_queue *q = own_queue(output);

	lock_take(&q->lock);
	if (q->waiting)
		submit(q);
	lock_release(&q->lock);
}

/* -- setting up ---------------------------------------------------------------------------------------------------- */

/* The threads have ended. */
static void queue_destroy(struct xsk_queue *q)
{
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

	xsk_account(output);
	for (__u32 i = 0; i < device->queues; i++)
		queue_destroy(device->queue[i]);
	free(device);
}

/* The queue goes on on the same thread of another runtime, as far as that has as many. */
static int queue_move(struct xsk_queue *q, struct runtime *to, __u32 device)
{
	struct thread *before = thread_of(&q->task), *thread = &to->thread[(before - q->runtime->thread) % to->threads];
	int fd = xsk_socket__fd(q->socket);

	poll_watch(before, fd, 0, &q->source);
	q->runtime = to;
	q->device = device;
	task_move(&q->task, thread);
	timer_move(&q->kick, thread);
	task_wake(&q->task);
	if (q->waiting || q->outstanding)
		timer_start(&q->kick, 0);
	return poll_watch(thread, fd, WATCH_READ, &q->source);
}

static int xsk_adopt(struct device_output *output, struct runtime *to, __u32 device)
{
	struct xsk_device *moved = container_of(output, struct xsk_device, output);
	int error = 0;

	xsk_account(output);
	for (__u32 i = 0; i < moved->queues && !error; i++)
		error = queue_move(moved->queue[i], to, device);
	return error;
}

static const struct output_ops xsk_ops = {
	.send = xsk_send,
	.flush = xsk_flush,
	.destroy = xsk_destroy,
	.drain = xsk_drain,
	.adopt = xsk_adopt,
	.account = xsk_account,
	.refuse = xsk_refuse,
};

/* What went wrong: libxdp opens some descriptors for a moment, and reports another error where there are none left. */
static int cause(int error)
{
	int opened[4], count = 0;

	while (count < 4 && (opened[count] = eventfd(0, EFD_CLOEXEC)) >= 0)
		count++;
	if (count < 4)
		error = -errno;
	while (count > 0)
		close(opened[--count]);
	return error;
}

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
		return cause(error);
	error = xsk_socket__create(&q->socket, ifname, number, q->umem, &q->rx, &q->tx, &socket);
	if (error)
		return cause(error);
	xsk_ring_prod__reserve(&q->fill, RECEIVE_FRAMES, &at);
	for (__u32 i = 0; i < RECEIVE_FRAMES; i++)
		*xsk_ring_prod__fill_addr(&q->fill, at + i) = (__u64)i * FRAME_SIZE;
	xsk_ring_prod__submit(&q->fill, RECEIVE_FRAMES);
	for (__u32 i = 0; i < SEND_FRAMES; i++)
		q->frame[q->unused++] = (__u64)(RECEIVE_FRAMES + i) * FRAME_SIZE;
	return poll_watch(thread_of(&q->task), xsk_socket__fd(q->socket), WATCH_READ, &q->source);
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

/* Queues go round the threads, where none is asked for. */
static struct thread *choose_thread(struct runtime *runtime, int thread)
{
	__u32 queues = 0;

	if (thread >= 0 && thread < (int)runtime->threads)
		return &runtime->thread[thread];
	for (__u32 i = 0; i <= runtime->code->devices; i++) {
		struct device_output *output = runtime->device[i].output[SIDE_WIRE];

		if (output && output->ops == &xsk_ops)
			queues += container_of(output, struct xsk_device, output)->queues;
	}
	return &runtime->thread[queues % runtime->threads];
}

static int queue_add(struct runtime *runtime, struct xsk_device *device, struct xsk_queue *q, const char *ifname, __u32 queue)
{
	int error;

	runtime_lock(runtime);
	error = queue_open(q, ifname, queue);
	if (!error) {
		device->queue[device->queues++] = q;
		runtime->device[q->device].output[SIDE_WIRE] = &device->output;
	} else {
		queue_destroy(q);
		if (!device->queues)
			free(device);
	}
	runtime_unlock(runtime);
	return error ?: xsk_socket__fd(q->socket);
}

int runtime_add_xsk(struct runtime *runtime, __u32 number, const char *ifname, __u32 queue, int thread)
{
	struct xsk_device *device = number <= runtime->code->devices ? device_of(runtime, number) : NULL;
	struct xsk_queue *q;

	if (!device || device->queues == DEVICE_TASKS)
		return -EINVAL;
	q = aligned_alloc(CACHE_LINE, sizeof(*q));
	if (!q)
		return -ENOMEM;
	memset(q, 0, sizeof(*q));
	q->source.ready = readable;
	q->task = (struct task){.run = receive, .tickets = TICKETS};
	q->kick = (struct timer){.run = kick};
	q->runtime = runtime;
	q->device = number;
	q->number = queue;
	task_init(&q->task, choose_thread(runtime, thread));
	timer_init(&q->kick, thread_of(&q->task));
	return queue_add(runtime, device, q, ifname, queue);
}
