/* The driver: a loop in each thread that runs tasks and timers, and sleeps when there are none. */
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
#include "prompt.h"
#include "runtime.h"
#include "runtime_element.h"

#define TASKS_A_ROUND 32
/* Rounds of tasks before the first timer: as in Click, a script run at the router's start sees what sources have done. */
#define HEAD_START 128
#define RUNS_A_SAMPLE 32
#define ROUNDS_WITHOUT_POLL 16
#define DEFERRED_A_ROUND 1024
#define EVENTS 32
#define WRITABLE_WITHIN 100	/* ms between two checks for other work */
#define PATIENCE 20000		/* ns that a thread looks for posts before it sleeps, if such pauses were short before */
#define LOOKS_A_TIME 16		/* looks between two readings of the clock */

__thread struct thread *current __attribute__((tls_model("initial-exec")));

/* Bounded, so that a packet that circles for ever doesn't keep the host out: the rest waits for the next round. */
void deferred_run(struct thread *thread)
{
	struct pkt *p;

	for (__u32 i = 0; i < DEFERRED_A_ROUND && (p = pkt_list_take(&thread->deferred)); i += 1 + thread->rounds.begun) {
		thread->rounds.begun = 0;
		thread->runtime->code->push(p->element, p->port, p);
	}
}

void deferred_free(struct thread *thread)
{
	struct pkt *p;

	while ((p = pkt_list_take(&thread->deferred)))
		pkt_drop(p, p->element, DROP_ENDED);
}

void post(struct thread *thread, struct post *post)
{
	struct post *next;

	if (atomic_exchange(&post->posted, true))
		return;
	next = atomic_load_explicit(&thread->posted, memory_order_relaxed);
	do
		post->next = next;
	while (!atomic_compare_exchange_weak(&thread->posted, &next, post));
	thread_wake(thread);
}

void wakeups_send(struct thread *thread)
{
	const __u32 wakeups = thread->put_off;

	if (!wakeups)
		return;
	thread->put_off = 0;
	for (__u32 i = 0; i < wakeups; i++)
		if (!i || thread->wakeup[i] != thread->wakeup[i - 1])
			thread->wakeup[i]();
}

/* Clear `posted` first: changes made during delivery are posted again. */
void posts_deliver(struct thread *thread)
{
	struct post *post;

	if (likely(!atomic_load_explicit(&thread->posted, memory_order_relaxed)))
		return;
	post = atomic_exchange(&thread->posted, NULL);
	while (post) {
		struct post *next = post->next;

		atomic_exchange(&post->posted, false);
		post->deliver(post, thread);
		post = next;
	}
}

/* Whether tasks woken by a timer run before the next timer of the same simulated instant. In Click, simulated time advances a
 * little whenever it is read, so a script that waits as long as a timed element sees what the element's task has done.
 */
static bool tasks_first(const struct thread *thread)
{
	return thread->clock && thread->clock->kind == CLOCK_SIMULATED && thread->tasks.size;
}

static bool timers_run(struct thread *thread)
{
	struct heap_node *node = heap_first(&thread->timers);
	__u64 time = node ? now() : 0;
	struct timer *timer;
	bool any = false;

	/* A timer that sets itself to the current time waits for the next round; when the driver pauses, all timers wait. */
	for (__u32 left = thread->timers.size; left && !thread->runtime->paused; left--) {
		node = heap_first(&thread->timers);
		if (!node || node->key > time)
			break;
		heap_remove(&thread->timers, node);
		timer = container_of(node, struct timer, node);
		timer->run(timer);
		deferred_run(thread);
		any = true;
		if (tasks_first(thread))
			break;
	}
	return any;
}

static __u64 cycles(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
#endif
}

/* Schedule the task again; after the next one if it had nothing to do. */
static void task_again(struct thread *thread, struct task *task, bool worked)
{
	const struct heap_node *next = heap_first(&thread->tasks);

	if (!worked && next && next->key > task->node.key)
		task->node.key = next->key;
	heap_insert(&thread->tasks, &task->node);
}

static bool task_run(struct thread *thread, struct task *task)
{
	bool worked, sampled = !(++task->runs % RUNS_A_SAMPLE);
	__u64 begin = sampled ? cycles() : 0;

	heap_remove(&thread->tasks, &task->node);
	thread->pass = task->node.key;
	thread->in_task = true;
	task->node.key += task->stride;
	task->scheduled = false;
	task->running = true;
	worked = task->run(task);
	task->running = false;
	if (unlikely(task->home != thread)) {
		wakeups_send(thread);	/* before the task puts off others in another thread */
		task_go_home(thread->runtime, task);
	} else if (task->scheduled)
		task_again(thread, task, worked);
	deferred_run(thread);
	if (sampled)
		task->busy += (cycles() - begin) * RUNS_A_SAMPLE;
	thread->in_task = false;
	return worked;
}

/* At the end of a round: send the thread's batch, and tell other threads. */
static void send_waiting(struct thread *thread)
{
	wakeups_send(thread);
	if (thread->sending)
		sending_flush(thread->sending);
}

/* One turn of the driver; true if anything was done. */
bool thread_round(struct thread *thread)
{
	const struct runtime *runtime = thread->runtime;
	struct heap_node *node;
	bool worked;

	posts_deliver(thread);
	worked = thread->deferred.first != NULL;
	deferred_run(thread);
	for (int i = 0; i < TASKS_A_ROUND && (node = heap_first(&thread->tasks)) && !runtime->paused; i++)
		worked |= task_run(thread, container_of(node, struct task, node));
	if (thread->head_start && thread->tasks.size && !runtime->paused) {
		thread->head_start--;
		send_waiting(thread);
		return true;
	}
	thread->head_start = 0;
	worked |= timers_run(thread);
	send_waiting(thread);
	return worked;
}

/* Whether the thread has anything to do before time passes. */
bool thread_is_busy(const struct thread *thread)
{
	return thread->tasks.size || thread->deferred.first || atomic_load(&thread->posted);
}

/* Wake the thread, if it sleeps: by one write for each time that it falls asleep. */
void thread_wake(struct thread *thread)
{
	if (!atomic_load(&thread->asleep) || !atomic_exchange(&thread->asleep, false))
		return;
	atomic_store_explicit(&thread->woken_at, machine_clock(CLOCK_MONOTONIC), memory_order_relaxed);
	atomic_store_explicit(&thread->woken_on, sched_getcpu(), memory_order_relaxed);
	eventfd_write(thread->wake, 1);
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
	struct heap_node *timer;
	bool last = thread->depth == 1;
	bool news;

	if (last) {
		current = thread;
		send_waiting(thread);
	}
	timer = heap_first(&thread->timers);
	news = thread_is_busy(thread) || (timer && timer->key < thread->wakes_at);
	thread->depth--;
	if (last)
		current = NULL;
	pthread_mutex_unlock(&thread->lock);
	if (last && news)
		thread_wake(thread);
}

/* Nanoseconds that the thread may sleep; 0 if it is busy, -1 for no limit. */
static long long time_to_sleep(struct thread *thread)
{
	struct heap_node *node = heap_first(&thread->timers);
	__u64 time;

	thread->wakes_at = node ? node->key : TIME_NEVER;
	if (thread->runtime->paused)
		return -1;
	if (thread_is_busy(thread))
		return 0;
	if (!node)
		return -1;
	time = now();
	if (node->key <= time)
		return 0;
	return clock_delay(thread->clock, node->key - time);
}

/* A thread that was woken soon after it had nothing to do, from another CPU, looks for posts next time for a while before it sleeps: that
 * takes less than to sleep and be woken, for both threads. Long pauses end that, so an idle router sleeps. (As Linux's halt_poll_ns.)
 */
static void thread_learn(struct thread *thread)
{
	const __u64 pause = atomic_load_explicit(&thread->woken_at, memory_order_relaxed) - thread->idle_since;
	const bool elsewhere = atomic_load_explicit(&thread->woken_on, memory_order_relaxed) != sched_getcpu();

	thread->patience = pause < PATIENCE && elsewhere ? PATIENCE : 0;
}

/* Look for posts, at most for the thread's patience or `nanoseconds`, if not negative. False if there are none. */
static bool post_comes(struct thread *thread, long long nanoseconds)
{
	const bool soon = nanoseconds >= 0 && (__u64)nanoseconds < thread->patience;
	__u64 end;

	thread->idle_since = machine_clock(CLOCK_MONOTONIC);
	end = thread->idle_since + (soon ? (__u64)nanoseconds : thread->patience);
	do {
		for (int i = 0; i < LOOKS_A_TIME; i++) {
			if (atomic_load_explicit(&thread->posted, memory_order_relaxed) || atomic_load(&thread->waiting))
				return true;
			cpu_relax();
		}
	} while (machine_clock(CLOCK_MONOTONIC) < end && !atomic_load(&thread->runtime->stopping));
	return false;
}

/* Before the lock is taken, others may act as this thread: a source in epoll's events may have been freed, or moved to another
 * runtime. Then ignore the events: epoll is level-triggered, and reports them again.
 */
static void thread_poll(struct thread *thread, long long nanoseconds)
{
	struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	struct epoll_event events[EVENTS];
	__u32 watches = atomic_load(&thread->watches);
	int n = epoll_pwait2(thread->poll, events, EVENTS, nanoseconds < 0 ? NULL : &time, NULL);

	pthread_mutex_lock(&thread->lock);
	if (!atomic_exchange(&thread->asleep, false) && nanoseconds)
		thread_learn(thread);
	current = thread;
	if (atomic_load(&thread->watches) != watches)
		n = 0;
	for (int i = 0; i < n; i++) {
		struct poll_source *source = events[i].data.ptr;

		source->ready(source);
	}
	send_waiting(thread);
	current = NULL;
	pthread_mutex_unlock(&thread->lock);
}

/* Prepare to sleep, unless there is something to do; returns as time_to_sleep(). From then on a post wakes the thread. */
static long long fall_asleep(struct thread *thread, bool looked)
{
	long long sleep = time_to_sleep(thread);

	if (!sleep)
		return 0;
	if (!looked)
		thread->idle_since = machine_clock(CLOCK_MONOTONIC);
	atomic_store(&thread->asleep, true);
	sleep = time_to_sleep(thread);
	if (!sleep)
		atomic_store(&thread->asleep, false);
	return sleep;
}

void *thread_main(void *argument)
{
	struct thread *thread = argument;
	struct runtime *runtime = thread->runtime;
	int unpolled = 0;
	bool looked = false;	/* for posts, in vain, just now */

	prompt();
	while (!atomic_load(&runtime->stopping)) {
		long long sleep;
		bool worked, jumps, looks;

		pthread_mutex_lock(&thread->lock);
		current = thread;
		worked = !runtime->paused && thread_round(thread);
		jumps = clock_jumps(thread->clock);
		looks = !looked && !jumps && thread->patience && !runtime->paused;
		sleep = looks ? time_to_sleep(thread) : fall_asleep(thread, looked);
		current = NULL;
		pthread_mutex_unlock(&thread->lock);
		/* Let the host in, since a mutex isn't fair. */
		while (atomic_load(&thread->waiting))
			sched_yield();
		looked = sleep && looks && !post_comes(thread, sleep);
		if (sleep && looks) {
			worked = true;
			sleep = 0;
		}
		if (sleep && jumps)
			clock_advance(runtime);
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
	int error;

	atomic_fetch_add(&thread->watches, 1);
	error = epoll_ctl(thread->poll, events ? EPOLL_CTL_MOD : EPOLL_CTL_DEL, fd, &event);
	if (error && errno == ENOENT)
		error = events ? epoll_ctl(thread->poll, EPOLL_CTL_ADD, fd, &event) : 0;
	return error ? -errno : 0;
}

void event_ready(struct poll_source *source)
{
	if (!current->runtime->paused)
		container_of(source, struct event, source)->run();
}

static long poll_once(void *wanted)
{
	return poll(wanted, 1, WRITABLE_WITHIN);
}

bool poll_writable(int fd)
{
	const struct thread *thread = current;
	struct pollfd wanted = {.fd = fd, .events = POLLOUT};

	do
		without_locks(poll_once, &wanted);
	while (!wanted.revents && thread->started && !atomic_load(&thread->runtime->stopping));
	return wanted.revents;
}

bool secret_bytes(void *to, __u32 size)
{
	struct thread *thread = current;

	if (thread->secrets < size) {
		if (size > SECRETS || getrandom(thread->secret, SECRETS, 0) != SECRETS)
			return false;
		thread->secrets = SECRETS;
	}
	thread->secrets -= size;
	memcpy(to, thread->secret + thread->secrets, size);
	explicit_bzero(thread->secret + thread->secrets, size);
	return true;
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
	thread->number = thread - runtime->thread;
	thread->slot = slot;
	thread->deferred.end = &thread->deferred.first;
	thread->head_start = HEAD_START;
	thread->wake = thread->poll = -1;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&thread->lock, &recursive);
	while (!thread->random)
		if (getrandom(&thread->random, sizeof(thread->random), 0) < 0)
			return -errno;
	/* Each queue of a device has a task and a timer; so has looks.c. */
	if (!heap_init(&thread->tasks, code->tasks + (code->devices + 1) * DEVICE_TASKS + 1) ||
	    !heap_init(&thread->timers, code->timers + (code->devices + 1) * DEVICE_TASKS + 1))
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
	if (thread->poll >= 0)
		close(thread->poll);
	free(thread->tasks.nodes);
	free(thread->timers.nodes);
	pkt_release_all(thread);
	pthread_mutex_destroy(&thread->lock);
}
