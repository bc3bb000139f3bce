/* The runtime as the host sees it: made, initialised, fed, stopped. */
#define _GNU_SOURCE
#include "runtime.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include "runtime_element.h"

static void devices_destroy(struct runtime *runtime)
{
	for (__u32 i = 0; runtime->device && i < runtime->code->devices; i++)
		for (int side = 0; side < SIDES; side++) {
			struct device_output *output = runtime->device[i].output[side];

			if (output)
				output->ops->destroy(output);
		}
	free(runtime->device);
}

/* Everything is thread 0's until work is spread. */
static void place_tasks(struct runtime *runtime)
{
	const struct router_code *code = runtime->code;

	for (__u32 i = 0; i < code->tasks; i++)
		code->task[i]->thread = &runtime->thread[0];
	for (__u32 i = 0; i < code->timers; i++)
		code->timer[i]->thread = &runtime->thread[0];
	for (__u32 i = 0; i < code->events; i++)
		code->event[i]->thread = &runtime->thread[0];
}

struct runtime *runtime_create(const struct router_code *code, const struct memory *memory, struct drops *drops, __u32 slots,
			       __u32 first_slot, __u32 threads)
{
	struct runtime *runtime = calloc(1, sizeof(*runtime));

	if (!runtime)
		return NULL;
	runtime->code = code;
	runtime->drops = drops;
	runtime->slots = slots;
	runtime->runcount = 1;
	runtime->news = -1;
	pthread_mutex_init(&runtime->control, NULL);
	runtime->thread = calloc(threads, sizeof(*runtime->thread));
	runtime->device = calloc(code->devices + 1, sizeof(*runtime->device));
	if (!runtime->thread || !runtime->device)
		goto fail;
	for (; runtime->threads < threads; runtime->threads++)
		if (thread_init(&runtime->thread[runtime->threads], runtime, first_slot + runtime->threads)) {
			thread_destroy(&runtime->thread[runtime->threads]);
			goto fail;
		}
	place_tasks(runtime);
	code->bind(memory);
	return runtime;
fail:
	runtime_destroy(runtime);
	return NULL;
}

void runtime_destroy(struct runtime *runtime)
{
	struct pkt *p;

	if (runtime->threads) {
		struct thread *thread = &runtime->thread[0];

		thread_enter(thread);
		for (__u32 i = 0; i < runtime->initialised; i++)
			runtime->code->cleanup(i);
		while ((p = thread->deferred.first)) {
			thread->deferred.first = p->next;
			pkt_free(p);
		}
		devices_destroy(runtime);
		thread_leave(thread);
	} else {
		free(runtime->device);
	}
	for (__u32 i = 0; i < runtime->threads; i++)
		thread_destroy(&runtime->thread[i]);
	free(runtime->thread);
	pthread_mutex_destroy(&runtime->control);
	free(runtime);
}

int runtime_initialise(struct runtime *runtime, __u32 *element)
{
	struct thread *thread = &runtime->thread[0];
	int error = 0;

	thread_enter(thread);
	for (__u32 i = runtime->initialised; i < runtime->code->elements && !error; i++) {
		*element = i;
		error = runtime->code->init(i);
		if (!error)
			runtime->initialised = i + 1;
	}
	thread_leave(thread);
	return error;
}

int runtime_start(struct runtime *runtime)
{
	atomic_store(&runtime->stopping, false);
	for (__u32 i = 0; i < runtime->threads; i++) {
		struct thread *thread = &runtime->thread[i];
		int error = pthread_create(&thread->id, NULL, thread_main, thread);
		char name[32];

		if (error)
			return -error;
		thread->started = true;
		snprintf(name, sizeof(name), "clickbpf/%u", i);
		pthread_setname_np(thread->id, name);
	}
	return 0;
}

void runtime_stop(struct runtime *runtime)
{
	atomic_store(&runtime->stopping, true);
	for (__u32 i = 0; i < runtime->threads; i++) {
		struct thread *thread = &runtime->thread[i];

		if (!thread->started)
			continue;
		eventfd_write(thread->wake, 1);
		pthread_join(thread->id, NULL);
		thread->started = false;
	}
}

/* How often the host, in this thread, holds the locks of all threads. */
static __thread __u32 all_held;

void runtime_lock(struct runtime *runtime)
{
	for (__u32 i = 0; i < runtime->threads; i++)
		thread_enter(&runtime->thread[i]);
	current = &runtime->thread[0];
	all_held++;
}

void runtime_unlock(struct runtime *runtime)
{
	all_held--;
	for (__u32 i = runtime->threads; i-- > 0;)
		thread_leave(&runtime->thread[i]);
}

struct held thread_release(struct thread *thread)
{
	struct held held = {.depth = thread->depth, .locks = all_held ? 0 : thread->depth ?: 1};

	if (held.locks) {
		thread->depth = 0;
		current = NULL;
	}
	for (__u32 i = 0; i < held.locks; i++)
		pthread_mutex_unlock(&thread->lock);
	return held;
}

void thread_resume(struct thread *thread, struct held held)
{
	for (__u32 i = 0; i < held.locks; i++)
		pthread_mutex_lock(&thread->lock);
	if (held.locks)
		thread->depth = held.depth;
	current = thread;
}

static int push_in(struct runtime *runtime, __u32 element, int port, const void *bytes, __u32 length)
{
	struct pkt *p = pkt_copy_in(bytes, length);

	if (!p)
		return -ENOMEM;
	if (!runtime->code->push(element, port, p)) {
		pkt_free(p);
		return -ENXIO;
	}
	return 0;
}

int runtime_push(struct runtime *runtime, __u32 element, int port, const void *bytes, __u32 length)
{
	struct thread *thread = &runtime->thread[0];
	int result;

	thread_enter(thread);
	result = push_in(runtime, element, port, bytes, length);
	deferred_run(thread);
	thread_leave(thread);
	return result;
}

int runtime_inject(struct runtime *runtime, __u32 device, const void *bytes, __u32 length)
{
	struct thread *thread = &runtime->thread[0];
	int result;

	thread_enter(thread);
	result = device_receive(runtime, device, bytes, length, wall_clock());
	deferred_run(thread);
	thread_leave(thread);
	return result;
}

long runtime_settle(struct runtime *runtime, long rounds)
{
	struct thread *thread = &runtime->thread[0];

	thread_enter(thread);
	while (rounds > 0 && !runtime->paused) {
		struct heap_node *timer = heap_first(&thread->timers);

		if (!thread->tasks.size && !thread->deferred.first && !(timer && timer->key <= now()))
			break;
		thread_round(thread);
		rounds--;
	}
	thread_leave(thread);
	return rounds;
}

int runtime_control(struct runtime *runtime, __u32 element, int op, __u64 argument)
{
	int result;

	runtime_lock(runtime);
	result = runtime->code->control(element, op, argument);
	deferred_run(&runtime->thread[0]);
	runtime_unlock(runtime);
	return result;
}

/* With the control mutex held. */
static void set_paused(struct runtime *runtime)
{
	atomic_store(&runtime->paused, runtime->runcount <= 0);
	if (runtime->paused && runtime->news >= 0)
		eventfd_write(runtime->news, 1);
}

static void change_runs(struct runtime *runtime, int runs)
{
	pthread_mutex_lock(&runtime->control);
	runtime->runcount += runs;
	set_paused(runtime);
	pthread_mutex_unlock(&runtime->control);
}

static void wake_threads(struct runtime *runtime)
{
	for (__u32 i = 0; i < runtime->threads; i++)
		eventfd_write(runtime->thread[i].wake, 1);
}

void driver_stop(void)
{
	change_runs(current->runtime, -1);
}

void runtime_add_runs(struct runtime *runtime, int runs)
{
	change_runs(runtime, runs);
	wake_threads(runtime);
}

int runtime_runs(struct runtime *runtime)
{
	int runs;

	pthread_mutex_lock(&runtime->control);
	runs = runtime->runcount;
	pthread_mutex_unlock(&runtime->control);
	return runs;
}

void complain(const char *text)
{
	snprintf(current->runtime->complaint, sizeof(current->runtime->complaint), "%s", text);
}

const char *runtime_complaint(struct runtime *runtime)
{
	return runtime->complaint;
}

void runtime_set_host(struct runtime *runtime, host_function host, int news)
{
	runtime->host = host;
	runtime->news = news;
}

/* Python's lock comes before the threads' locks. So a thread lets go of its own one meanwhile, unless this is the host, which
 * holds them all and had Python's before.
 */
long host_call(__u32 element, __u32 value)
{
	struct thread *thread = current;
	struct held held = thread_release(thread);
	long answer = thread->runtime->host ? thread->runtime->host(element, value) : 0;

	thread_resume(thread, held);
	return answer;
}

void runtime_set_clock(struct runtime *runtime, __u64 clock)
{
	runtime_lock(runtime);
	for (__u32 i = 0; i < runtime->threads; i++) {
		runtime->thread[i].simulated = true;
		runtime->thread[i].clock = clock;
	}
	runtime_unlock(runtime);
}

__u64 runtime_clock(struct runtime *runtime)
{
	__u64 time;

	runtime_lock(runtime);
	time = now();
	runtime_unlock(runtime);
	return time;
}

__u64 runtime_wall_clock(struct runtime *runtime)
{
	__u64 time;

	runtime_lock(runtime);
	time = wall_clock();
	runtime_unlock(runtime);
	return time;
}

__u64 runtime_next_timer(struct runtime *runtime)
{
	__u64 first = ~0ull;

	runtime_lock(runtime);
	for (__u32 i = 0; i < runtime->threads; i++) {
		struct heap_node *node = heap_first(&runtime->thread[i].timers);

		if (node && node->key < first)
			first = node->key;
	}
	runtime_unlock(runtime);
	return first;
}

void runtime_seed(struct runtime *runtime, __u64 seed)
{
	runtime_lock(runtime);
	for (__u32 i = 0; i < runtime->threads; i++)
		runtime->thread[i].random = (seed + i) * 0x9e3779b97f4a7c15ull | 1;
	runtime_unlock(runtime);
}

long runtime_packets(struct runtime *runtime)
{
	long packets = 0;

	runtime_lock(runtime);
	for (__u32 i = 0; i < runtime->threads; i++)
		packets += runtime->thread[i].packets;
	runtime_unlock(runtime);
	return packets;
}
