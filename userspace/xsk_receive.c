/* AF_XDP sockets: receiving packets, and counting lost ones. */
#include <sys/socket.h>
#include "xsk.h"

#define BATCH HANDOVER_BATCH
#define ACCOUNT_EVERY 64	/* most batches in a run */
#define AHEAD 8			/* packets whose first bytes are fetched before one is processed: the CPU that has received them wrote them */

static void wake_fill(struct xsk_queue *q)
{
	if (xsk_ring_prod__needs_wakeup(&q->fill))
		recvfrom(xsk_socket__fd(q->socket), NULL, 0, MSG_DONTWAIT, NULL, NULL);
}

/* Append a part of a packet; one that is too long fills the buffer. (The kernel puts all parts of a packet into the ring, or none.) */
static void gather(struct xsk_queue *q, const void *bytes, __u32 length)
{
	__u32 room = LONGEST - q->gathered;

	memcpy(q->parts + q->gathered, bytes, length < room ? length : room);
	q->gathered += length < room ? length : room;
}

static void take(struct xsk_queue *q, const struct xdp_desc *desc, __u64 time)
{
	const void *bytes = xsk_umem__get_data(q->memory, desc->addr);
	const bool continued = q->parts && desc->options & CONTINUED;
	__u32 length = desc->len;

	if (unlikely(continued || q->gathered)) {
		gather(q, bytes, length);
		if (continued)
			return;
		bytes = q->parts;
		length = q->gathered;
		q->gathered = 0;
		if (length == LONGEST) {
			device_account(q->runtime, q->device, DROP_MALFORMED, 1);
			return;
		}
	}
	handover_receive(q->runtime, bytes, length, q->device, time);
	deferred_run(current);
}

/* Return frames to the fill ring, which has room for all receive frames. */
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

/* Packets that find the receive ring full, or no free frame, are counted only by the socket. */
void xsk_count_losses(struct xsk_queue *q)
{
	struct xdp_statistics s = {};
	socklen_t size = sizeof(s);

	q->batches = 0;
	if (getsockopt(xsk_socket__fd(q->socket), SOL_XDP, XDP_STATISTICS, &s, &size))
		return;
	device_account(q->runtime, q->device, DROP_OVERRUN, s.rx_dropped + s.rx_ring_full - q->lost);
	q->lost = s.rx_dropped + s.rx_ring_full;
}

static void each_queue(const struct runtime *runtime, void (*visit)(struct xsk_queue *q))
{
	for (__u32 number = 0; number <= runtime->code->devices; number++) {
		const struct xsk_device *device = xsk_device_of(runtime, number);

		for (__u32 i = 0; device && i < device->queues; i++)
			visit(device->queue[i]);
	}
}

void runtime_account(struct runtime *runtime)
{
	runtime_lock(runtime);
	each_queue(runtime, xsk_count_losses);
	runtime_unlock(runtime);
}

/* The kernel path's count of handovers by this socket, or NULL. */
static struct handed *handed_by(const struct xsk_queue *q)
{
	const struct runtime *runtime = q->runtime;

	return runtime->handed && q->number < runtime->handed_queues ? &runtime->handed[q->device * runtime->handed_queues + q->number] : NULL;
}

/* Everything received so far is processed, or about to be: begin the next round of the kernel path's handovers. */
static void end_round(const struct xsk_queue *q)
{
	struct handed *h = handed_by(q);

	if (h)
		__atomic_add_fetch(&h->round, 1, __ATOMIC_RELAXED);
}

static void fetch(const struct xsk_queue *q, __u64 address)
{
	const char *bytes = xsk_umem__get_data(q->memory, address);

	__builtin_prefetch(bytes);
	__builtin_prefetch(bytes + CACHE_LINE);
}

static void take_all(struct xsk_queue *q, __u32 from, __u32 n)
{
	const __u64 time = wall_clock();

	for (__u32 i = 0; i < n && i < AHEAD; i++)
		fetch(q, xsk_ring_cons__rx_desc(&q->rx, from + i)->addr);
	for (__u32 i = 0; i < n; i++) {
		if (i + AHEAD < n)
			fetch(q, xsk_ring_cons__rx_desc(&q->rx, from + i + AHEAD)->addr);
		take(q, xsk_ring_cons__rx_desc(&q->rx, from + i), time);
	}
}

bool xsk_receive(struct task *task)
{
	struct xsk_queue *q = container_of(task, struct xsk_queue, task);
	__u32 from, n = xsk_ring_cons__peek(&q->rx, BATCH, &from);

	if (n < BATCH)
		end_round(q);
	if (!n) {
		if (q->batches)
			xsk_count_losses(q);
		wake_fill(q);
		return false;
	}
	looks_drain(q->runtime->looks);	/* first, since these packets have passed those elements in the kernel */
	take_all(q, from, n);
	give_back(q, from, n);
	wake_fill(q);
	if (n == BATCH)
		task_start(task);
	q->batches += n == BATCH;
	if (q->batches >= ACCOUNT_EVERY || (q->batches && n < BATCH))
		xsk_count_losses(q);
	return true;
}

/* Process the frames sent by this router's kernel path, up to the first one of another router. xsk_ring_cons__peek() shows new
 * frames only when all those that it has shown before are consumed, so repeat.
 */
static void drain_queue(struct xsk_queue *q)
{
	__u32 from, taken, n;

	current = thread_of(&q->task);
	do {
		n = xsk_ring_cons__peek(&q->rx, RECEIVE_FRAMES, &from);
		for (taken = 0; taken < n; taken++) {
			const struct xdp_desc *desc = xsk_ring_cons__rx_desc(&q->rx, from + taken);

			if (!q->gathered && !handover_is_for(q->runtime, xsk_umem__get_data(q->memory, desc->addr), desc->len))
				break;
			take(q, desc, wall_clock());
		}
		xsk_ring_cons__cancel(&q->rx, n - taken);
		give_back(q, from, taken);
	} while (n && taken == n);
	task_start(&q->task);	/* to end the round: with its budget used up, an empty socket never becomes readable */
}

void xsk_drain(const struct runtime *runtime)
{
	each_queue(runtime, drain_queue);
}

static void refuse_waiting(struct xsk_queue *q)
{
	__u32 from, n, packets;

	while ((n = xsk_ring_cons__peek(&q->rx, RECEIVE_FRAMES, &from))) {
		packets = 0;
		for (__u32 at = 0; at < n; at++)
			packets += !(xsk_ring_cons__rx_desc(&q->rx, from + at)->options & CONTINUED);
		give_back(q, from, n);
		device_account(q->runtime, q->device, DROP_NO_RUNTIME, packets);
	}
	q->gathered = 0;
}

void runtime_refuse(struct runtime *runtime)
{
	runtime_lock(runtime);
	each_queue(runtime, refuse_waiting);
	runtime_unlock(runtime);
}

/* Whether the round's budget is used up while the socket is empty: then packets were lost on their way here, and none will come to
 * end the round. Packets may be under way for a moment, so this must be found twice.
 */
static bool is_stuck(struct xsk_queue *q)
{
	const struct handed *h = handed_by(q);
	const bool before = q->used_up;

	q->used_up = h && *(volatile const __u32 *)&h->common_round == *(volatile const __u32 *)&h->round &&
		     *(volatile const __u32 *)&h->common > HANDOVER_COMMON - HANDOVER_PLACES(LONGEST) &&
		     __atomic_load_n(q->rx.producer, __ATOMIC_ACQUIRE) == __atomic_load_n(q->rx.consumer, __ATOMIC_ACQUIRE);
	return before && q->used_up;
}

/* Without the threads' locks, so that the caller isn't held up by a router whose elements hang. */
__u32 runtime_unstick(struct runtime *runtime)
{
	__u32 stuck = 0;

	for (__u32 number = 0; number <= runtime->code->devices; number++) {
		struct xsk_device *device = xsk_device_of(runtime, number);

		for (__u32 i = 0; device && i < device->queues; i++)
			if (is_stuck(device->queue[i])) {
				end_round(device->queue[i]);
				stuck++;
			}
	}
	return stuck;
}

void xsk_readable(struct poll_source *source)
{
	task_start(&container_of(source, struct xsk_queue, source)->task);
}
