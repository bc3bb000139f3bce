/* AF_XDP sockets, one for each receive queue of a device: made, handed to another runtime, and closed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include "volley.h"
#include "xsk.h"

/* The threads have ended. */
static void queue_destroy(struct xsk_queue *q)
{
	if (q->socket)
		xsk_socket__delete(q->socket);
	if (q->umem)
		xsk_umem__delete(q->umem);
	if (q->memory != MAP_FAILED)
		munmap(q->memory, (size_t)FRAMES * FRAME_SIZE);
	free(q->parts);
	free(q);
}

static void xsk_destroy(struct device_output *output)
{
	struct xsk_device *device = xsk_of(output);

	for (__u32 i = 0; i < device->queues; i++) {
		xsk_count_losses(device->queue[i]);
		queue_destroy(device->queue[i]);
	}
	volleys_close(device->volleys);
	free(device);
}

/* Move the queue to another runtime, to the thread of the same number, modulo its threads. */
static int queue_move(struct xsk_queue *q, struct runtime *to, __u32 device)
{
	struct thread *before = thread_of(&q->task), *thread = &to->thread[(before - q->runtime->thread) % to->threads];
	int fd = xsk_socket__fd(q->socket);

	xsk_count_losses(q);
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
	struct xsk_device *moved = xsk_of(output);
	int error = 0;

	moved->number = device;
	for (__u32 i = 0; i < moved->queues && !error; i++)
		error = queue_move(moved->queue[i], to, device);
	return error;
}

const struct output_ops xsk_ops = {
	.send = xsk_send,
	.flush = xsk_flush,
	.destroy = xsk_destroy,
	.adopt = xsk_adopt,
};

/* The cause of a failure: libxdp temporarily opens some descriptors, and reports another error when there are none left. */
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

static int queue_open(struct xsk_queue *q, const char *ifname, __u32 number, bool in_parts)
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
		.bind_flags = XDP_USE_NEED_WAKEUP | (in_parts ? IN_PARTS : 0),
	};
	__u32 at = 0;
	int error;

	q->memory = mmap(NULL, (size_t)FRAMES * FRAME_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (q->memory == MAP_FAILED)
		return -errno;
	q->parts = in_parts ? malloc(LONGEST) : NULL;
	if (in_parts && !q->parts)
		return -ENOMEM;
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
		return output->ops == &xsk_ops ? xsk_of(output) : NULL;
	device = calloc(1, sizeof(*device));
	if (!device)
		return NULL;
	device->output.ops = &xsk_ops;
	device->number = number;
	return device;
}

/* Queues are assigned to the threads in turn, unless a thread was requested. */
static struct thread *choose_thread(struct runtime *runtime, int thread)
{
	__u32 queues = 0;

	if (thread >= 0 && thread < (int)runtime->threads)
		return &runtime->thread[thread];
	for (__u32 i = 0; i <= runtime->code->devices; i++) {
		const struct xsk_device *device = xsk_device_of(runtime, i);

		queues += device ? device->queues : 0;
	}
	return &runtime->thread[queues % runtime->threads];
}

static int queue_add(struct runtime *runtime, struct xsk_device *device, struct xsk_queue *q, const char *ifname, __u32 queue, bool in_parts)
{
	int error;

	runtime_lock(runtime);
	error = queue_open(q, ifname, queue, in_parts);
	if (!error) {
		device->queue[device->queues++] = q;
		runtime->device[q->device].output[SIDE_WIRE] = &device->output;
		task_start(&q->task);	/* ends the handover round of a runtime that was killed */
	} else {
		queue_destroy(q);
		if (!device->queues)
			free(device);
	}
	runtime_unlock(runtime);
	return error ?: xsk_socket__fd(q->socket);
}

int runtime_add_xsk(struct runtime *runtime, __u32 number, const char *ifname, __u32 queue, int thread, int in_parts)
{
	struct xsk_device *device = number <= runtime->code->devices ? device_of(runtime, number) : NULL;
	struct xsk_queue *q;

	if (!device || device->queues == DEVICE_TASKS)
		return -EINVAL;
	q = aligned_alloc(CACHE_LINE, sizeof(*q));
	if (!q)
		return -ENOMEM;
	memset(q, 0, sizeof(*q));
	q->source.ready = xsk_readable;
	q->task = (struct task){.run = xsk_receive, .tickets = TICKETS / HANDOVER_BATCH};	/* a turn for each packet */
	q->kick = (struct timer){.run = xsk_kick};
	q->runtime = runtime;
	q->device = number;
	q->number = queue;
	task_init(&q->task, choose_thread(runtime, thread));
	timer_init(&q->kick, thread_of(&q->task));
	return queue_add(runtime, device, q, ifname, queue, in_parts);
}
