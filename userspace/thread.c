/* The driver: one loop a thread, which runs timers and tasks and sleeps when there are none. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/poll.h>
#include <sys/random.h>
#include <unistd.h>
#include "poll.h"
#include "runtime.h"
#include "runtime_element.h"

#define TASKS_A_ROUND 32
#define ROUNDS_WITHOUT_POLL 16
#define DEFERRED_A_ROUND 1024
#define EVENTS 32
#define WRITABLE_WITHIN 100	/* ms between two looks at what else is to be done */

__thread struct thread *current __attribute__((tls_model("initial-exec")));

/* Packets deferred while these run wait for the next round, so that a packet that circles forever doesn't keep the host out. */
void deferred_run(struct thread *thread)
{
	struct pkt_list *list = &thread->deferred;

	for (int i = 0; list->first && i < DEFERRED_A_ROUND; i++) {
		struct pkt *p = list->first;

		list->first = p->next;
		list->length--;
		if (!list->first)
			list->end = &list->first;
		thread->runtime->code->push(p->element, p->port, p);
	}
}

static bool timers_run(struct thread *thread)
{
	struct heap_node *node = heap_first(&thread->timers);
	__u64 time = node ? now() : 0;
	struct timer *timer;
	bool any = false;

	/* A timer that sets itself for now again waits for the next round. */
	for (__u32 left = thread->timers.size; left && (node = heap_first(&thread->timers)) && node->key <= time; left--) {
		heap_remove(&thread->timers, node);
		timer = container_of(node, struct timer, node);
		timer->run(timer);
		deferred_run(thread);
		any = true;
	}
	return any;
}

static bool task_run(struct thread *thread, struct task *task)
{
	bool worked;

	heap_remove(&thread->tasks, &task->node);
	thread->pass = task->node.key;
	task->node.key += task->stride;
	task->scheduled = false;
	task->running = true;
	worked = task->run(task);
	task->running = false;
	if (task->scheduled)
		heap_insert(&thread->tasks, &task->node);
	deferred_run(thread);
	return worked;
}

/* One turn of the driver; true if anything was done. */
bool thread_round(struct thread *thread)
{
	const struct runtime *runtime = thread->runtime;
	bool worked = timers_run(thread) | (thread->deferred.first != NULL);
	struct heap_node *node;

	deferred_run(thread);
	for (int i = 0; i < TASKS_A_ROUND && (node = heap_first(&thread->tasks)) && !runtime->paused; i++)
		worked |= task_run(thread, container_of(node, struct task, node));
	return worked;
}

void thread_enter(struct thread *thread)
{
	atomic_fetch_add(&thread->waiting, 1);
	pthread_mutex_lock(&thread->lock);
	atomic_fetch_sub(&thread->waiting, 1);
	thread->depth++;
	current = thread;
}

void thread_leave(struct thread *thread)
{
	bool last = --thread->depth == 0, asleep = atomic_load(&thread->asleep);

	if (last)
		current = NULL;
	pthread_mutex_unlock(&thread->lock);
	if (last && asleep)
		eventfd_write(thread->wake, 1);
}

/* How long the thread may sleep, in nanoseconds: 0 not at all, -1 for ever. */
static long long time_to_sleep(struct thread *thread)
{
	struct heap_node *node = heap_first(&thread->timers);
	__u64 time;

	if (thread->runtime->paused)
		return -1;
	if (thread->tasks.size || thread->deferred.first)
		return 0;
	if (!node)
		return -1;
	if (thread->simulated && thread->clock < node->key)
		thread->clock = node->key;	/* simulated time passes when nothing else happens */
	time = now();
	return node->key > time ? (long long)(node->key - time) : 0;
}

static void thread_poll(struct thread *thread, long long nanoseconds)
{
	struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	struct epoll_event events[EVENTS];
	int n = epoll_pwait2(thread->poll, events, EVENTS, nanoseconds < 0 ? NULL : &time, NULL);

	pthread_mutex_lock(&thread->lock);
	atomic_store(&thread->asleep, false);
	current = thread;
	for (int i = 0; i < n; i++) {
		struct poll_source *source = events[i].data.ptr;

		source->ready(source);
	}
	current = NULL;
	pthread_mutex_unlock(&thread->lock);
}

void *thread_main(void *argument)
{
	struct thread *thread = argument;
	struct runtime *runtime = thread->runtime;
	int unpolled = 0;

	while (!atomic_load(&runtime->stopping)) {
		long long sleep;
		bool worked;

		pthread_mutex_lock(&thread->lock);
		current = thread;
		worked = !runtime->paused && thread_round(thread);
		sleep = time_to_sleep(thread);
		atomic_store(&thread->asleep, sleep != 0);
		current = NULL;
		pthread_mutex_unlock(&thread->lock);
		/* A mutex isn't fair: step aside for the host. */
		while (atomic_load(&thread->waiting))
			sched_yield();
		if (sleep || !worked || ++unpolled >= ROUNDS_WITHOUT_POLL) {
			thread_poll(thread, sleep);
			unpolled = 0;
		}
	}
	return NULL;
}

static void woken(struct poll_source *source)
{
	eventfd_t value;

	(void)source;
	eventfd_read(current->wake, &value);
}

static struct poll_source wake_source = {.ready = woken};

int poll_watch(struct thread *thread, int fd, __u32 events, struct poll_source *source)
{
	struct epoll_event event = {.events = events, .data.ptr = source};
	int error = epoll_ctl(thread->poll, events ? EPOLL_CTL_MOD : EPOLL_CTL_DEL, fd, &event);

	if (error && errno == ENOENT)
		error = events ? epoll_ctl(thread->poll, EPOLL_CTL_ADD, fd, &event) : 0;
	return error ? -errno : 0;
}

void event_ready(struct poll_source *source)
{
	if (!current->runtime->paused)
		container_of(source, struct event, source)->run();
}

bool poll_writable(int fd)
{
	struct thread *thread = current;
	struct pollfd wanted = {.fd = fd, .events = POLLOUT};
	bool stopping;

	do {
		struct held held = thread_release(thread);

		poll(&wanted, 1, WRITABLE_WITHIN);
		thread_resume(thread, held);
		stopping = !thread->started || atomic_load(&thread->runtime->stopping);
	} while (!wanted.revents && !stopping);
	return wanted.revents;
}

static bool heap_init(struct heap *heap, __u32 nodes)
{
	heap->nodes = calloc(nodes + 1, sizeof(*heap->nodes));
	return heap->nodes;
}

int thread_init(struct thread *thread, struct runtime *runtime, __u32 slot)
{
	const struct router_code *code = runtime->code;
	pthread_mutexattr_t recursive;

	thread->runtime = runtime;
	thread->slot = slot;
	thread->deferred.end = &thread->deferred.first;
	thread->wake = -1;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&thread->lock, &recursive);
	while (!thread->random)
		if (getrandom(&thread->random, sizeof(thread->random), 0) < 0)
			return -errno;
	/* A device may have a task and a timer for each queue. */
	if (!heap_init(&thread->tasks, code->tasks + code->devices * DEVICE_TASKS) ||
	    !heap_init(&thread->timers, code->timers + code->devices * DEVICE_TASKS))
		return -ENOMEM;
	thread->poll = epoll_create1(EPOLL_CLOEXEC);
	if (thread->poll < 0)
		return -errno;
	thread->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (thread->wake < 0)
		return -errno;
	return poll_watch(thread, thread->wake, WATCH_READ, &wake_source);
}

void thread_destroy(struct thread *thread)
{
	if (thread->wake >= 0)
		close(thread->wake);
	if (thread->poll > 0)
		close(thread->poll);
	free(thread->tasks.nodes);
	free(thread->timers.nodes);
	pkt_release_all(thread);
	pthread_mutex_destroy(&thread->lock);
}
