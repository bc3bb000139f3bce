/* Copies of packets for elements that only look (bpf/looks.h): read from the ring buffer, in order.
 *
 * The kernel wakes a reader when a record is written at the reader's position, and a wake-up costs more than the rest of the
 * program. So while copies keep coming, the reader reports a position one record behind its own, and polls the ring every
 * millisecond. When none have come for a while, it reports its true position and sleeps.
 */
#define _GNU_SOURCE
#include "look.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "poll.h"
#include "ringbuf.h"
#include "runtime.h"

#define BATCH 64
#define AGAIN_AFTER 1000000	/* ns */
#define LOOKS_IN_VAIN 20	/* turns without a record before the thread sleeps */

struct looks {
	struct poll_source source;
	struct task task;
	struct timer timer;
	struct runtime *runtime;
	int fd;
	int vain;			/* turns since the last record */

	/* Any thread may read the ring, under the lock. */
	struct lock lock;
	struct ringbuf ring;
	_Atomic __u64 position;		/* of the next record */
	bool complained;
};

static bool is_empty(const struct looks *looks)
{
	return atomic_load_explicit(looks->ring.producer, memory_order_acquire) == atomic_load(&looks->position);
}

static __u64 count_missed(const struct runtime *runtime)
{
	__u64 missed = 0;

	for (__u32 i = 0; i < runtime->code->elements * runtime->slots; i++)
		missed += runtime->drops[i].reason[DROP_MISSED_LOOK];
	return missed;
}

/* Warn once, when records were missed and the ring is still half full. */
static void complain_once(struct looks *looks)
{
	const __u64 waiting = atomic_load(looks->ring.producer) - atomic_load(&looks->position);

	if (looks->complained || waiting < looks->ring.size / 2 || !count_missed(looks->runtime))
		return;
	looks->complained = true;
	fprintf(stderr, "clickbpf: packets come faster than elements look at them (Print, ToDump, ...): "
			"those that they don't see go on, and are counted as MISSED_LOOK\n");
}

/* Whether a record is for this configuration, and not for another on the same ring. */
static bool is_own(const struct looks *looks, const __u8 *record, __u32 length)
{
	return length & BPF_RINGBUF_DISCARD_BIT || length < sizeof(struct look) ||
	       handover_is_for(looks->runtime, record + BPF_RINGBUF_HDR_SZ + sizeof(struct look), length - sizeof(struct look));
}

static void look_at(struct looks *looks, const __u8 *record, __u32 length)
{
	if (!(length & BPF_RINGBUF_DISCARD_BIT))
		handover_look(looks->runtime, (const void *)(record + BPF_RINGBUF_HDR_SZ), length);
}

/* Return everything before this record to the kernel. */
static void give_back(struct looks *looks, __u64 position, __u32 length)
{
	atomic_store_explicit(looks->ring.consumer, position, memory_order_release);
	atomic_store(&looks->position, ringbuf_after(position, length));
}

/* The next record, if there is a complete one. The caller holds the lock. */
static bool take_one(struct looks *looks)
{
	const __u64 position = atomic_load(&looks->position);
	const __u8 *record = ringbuf_record(&looks->ring, position);
	__u32 length;

	if (is_empty(looks))
		return false;
	length = ringbuf_length(record);
	if (length & BPF_RINGBUF_BUSY_BIT)
		return false;
	give_back(looks, position, length);
	look_at(looks, record, length);
	return true;
}

static int take_some(struct looks *looks, int most)
{
	int taken = 0;

	lock_take(&looks->lock);
	complain_once(looks);
	while (taken < most && take_one(looks))
		taken++;
	lock_release(&looks->lock);
	return taken;
}

/* Process the records that are there now, at most a ring full. The caller acts as a thread. */
void looks_drain(struct looks *looks)
{
	if (looks && !is_empty(looks))
		take_some(looks, looks->ring.size / BPF_RINGBUF_HDR_SZ);
}

/* Busy-wait for a record under way: the program that has reserved it submits it without waiting for anything. */
static __u32 length_when_complete(const __u8 *record)
{
	__u32 length = ringbuf_length(record);

	while (length & BPF_RINGBUF_BUSY_BIT) {
		sched_yield();
		length = ringbuf_length(record);
	}
	return length;
}

/* The same, for this router's records only: a router of another configuration is about to take its place on the same ring, and
 * programs of both may have written at the same time, on two CPUs or for two devices. Records processed here that follow one of the
 * other router's stay in the ring; that router skips them. No more records of this router come, since its programs have ended.
 */
void looks_drain_own(struct looks *looks)
{
	const __u8 *record;
	__u64 position, end;
	bool others = false;
	__u32 length;

	if (!looks)
		return;
	lock_take(&looks->lock);
	end = atomic_load_explicit(looks->ring.producer, memory_order_acquire);
	for (position = atomic_load(&looks->position); position != end; position = ringbuf_after(position, length)) {
		record = ringbuf_record(&looks->ring, position);
		length = length_when_complete(record);
		others |= !is_own(looks, record, length);
		if (!others)
			give_back(looks, position, length);
		if (is_own(looks, record, length))
			look_at(looks, record, length);
	}
	lock_release(&looks->lock);
}

void runtime_look(struct runtime *runtime)
{
	runtime_lock(runtime);
	looks_drain(runtime->looks);
	runtime_unlock(runtime);
}

/* From now on the kernel wakes the thread, also for records that have come meanwhile. */
static void sleep_until_woken(struct looks *looks)
{
	lock_take(&looks->lock);
	atomic_store_explicit(looks->ring.consumer, atomic_load(&looks->position), memory_order_release);
	lock_release(&looks->lock);
	looks->vain = 0;
	poll_watch(thread_of(&looks->task), looks->fd, WATCH_READ, &looks->source);
}

static bool turn(struct task *task)
{
	struct looks *looks = container_of(task, struct looks, task);
	int taken = take_some(looks, BATCH);

	looks->vain = taken ? 0 : looks->vain + 1;
	if (taken == BATCH)
		task_start(task);
	else if (looks->vain < LOOKS_IN_VAIN)
		timer_start(&looks->timer, now() + AGAIN_AFTER);
	else
		sleep_until_woken(looks);
	return taken;
}

static void due(struct timer *timer)
{
	struct looks *looks = container_of(timer, struct looks, timer);

	if (timer_is_due(timer))
		task_start(&looks->task);
}

static void woken(struct poll_source *source)
{
	struct looks *looks = container_of(source, struct looks, source);

	poll_watch(thread_of(&looks->task), looks->fd, 0, source);
	task_start(&looks->task);
}

static struct looks *looks_new(struct runtime *runtime, int fd)
{
	struct looks *looks = aligned_alloc(CACHE_LINE, sizeof(*looks));

	if (!looks)
		return NULL;
	memset(looks, 0, sizeof(*looks));
	looks->source.ready = woken;
	looks->task = (struct task){.run = turn, .tickets = TICKETS};
	looks->timer = (struct timer){.run = due};
	looks->runtime = runtime;
	looks->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	task_init(&looks->task, &runtime->thread[0]);
	timer_init(&looks->timer, &runtime->thread[0]);
	return looks;
}

int runtime_add_looks(struct runtime *runtime, int fd, __u32 size)
{
	struct looks *looks = looks_new(runtime, fd);
	int error;

	if (!looks)
		return -ENOMEM;
	error = looks->fd < 0 ? -errno : ringbuf_open(&looks->ring, looks->fd, size);
	if (!error) {
		atomic_store(&looks->position, atomic_load(looks->ring.consumer));
		error = poll_watch(&runtime->thread[0], looks->fd, WATCH_READ, &looks->source);
	}
	if (error)
		looks_destroy(looks);
	else
		runtime->looks = looks;
	return error;
}

/* Records that the kernel still writes wait for the next reader. */
void looks_destroy(struct looks *looks)
{
	if (!looks)
		return;
	if (looks->ring.consumer)
		atomic_store(looks->ring.consumer, atomic_load(&looks->position));
	ringbuf_close(&looks->ring);
	if (looks->fd >= 0)
		close(looks->fd);
	free(looks);
}
