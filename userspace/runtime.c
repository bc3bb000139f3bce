/* The runtime as the host sees it: created, initialised, fed with packets, stopped. */
#define _GNU_SOURCE
#include "runtime.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include "runtime_element.h"

static void devices_destroy(struct runtime *runtime)
{
	for (__u32 i = 0; runtime->device && i <= runtime->code->devices; i++)
		for (int side = 0; side < SIDES; side++) {
			struct device_output *output = runtime->device[i].output[side];

			if (output)
				output->ops->destroy(output);
		}
	free(runtime->device);
}

struct runtime *runtime_create(const struct router_code *code, const struct memory *memory, struct drops *drops, __u32 slots,
			       __u32 first_slot, __u32 threads)
{
	struct runtime *runtime = calloc(1, sizeof(*runtime));

	if (!runtime)
		return NULL;
	runtime->code = runtime->places = code;
	runtime->drops = drops;
	runtime->slots = slots;
	runtime->runcount = 1;
	runtime->news = -1;
	pthread_mutex_init(&runtime->control, NULL);
	pthread_mutex_init(&runtime->store.lock, NULL);
	runtime->thread = aligned_alloc(CACHE_LINE, (threads + 1) * sizeof(*runtime->thread));
	runtime->device = calloc(code->devices + 1, sizeof(*runtime->device));
	if (!runtime->thread || !runtime->device ||
	    getrandom(runtime->hash_key, sizeof(runtime->hash_key), 0) != sizeof(runtime->hash_key))
		goto fail;
	memset(runtime->thread, 0, (threads + 1) * sizeof(*runtime->thread));
	runtime->threads = threads;
	for (; runtime->made <= threads; runtime->made++)
		if (thread_init(&runtime->thread[runtime->made], runtime, first_slot + runtime->made)) {
			thread_destroy(&runtime->thread[runtime->made]);
			goto fail;
		}
	place_all(runtime);
	code->bind(memory);
	return runtime;
fail:
	runtime_destroy(runtime);
	return NULL;
}

static long packets_of(const struct runtime *runtime)
{
	long packets = -pkt_count_spare(runtime);

	for (__u32 i = 0; i < runtime->threads; i++)
		packets += runtime->thread[i].allocated;
	return packets;
}

/* Packets that an element's CLEANUP frees were waiting in it: count them as drops, whatever its class. */
static void element_end(struct runtime *runtime, __u32 element)
{
	const long before = packets_of(runtime);
	long freed;

	runtime->code->cleanup(element);
	freed = before - packets_of(runtime);
	if (freed > 0)
		pkt_lose(freed, element, DROP_ENDED);
}

void runtime_destroy(struct runtime *runtime)
{
	if (runtime->made > runtime->threads) {
		thread_enter(&runtime->thread[0]);
		for (__u32 i = 0; i < runtime->initialised; i++)
			element_end(runtime, i);
		for (__u32 i = 0; i < runtime->threads; i++)
			deferred_free(&runtime->thread[i]);
		sending_end(runtime);
		devices_destroy(runtime);
		looks_destroy(runtime->looks);
		thread_leave(&runtime->thread[0]);
	} else {
		free(runtime->device);
	}
	for (__u32 i = 0; i < runtime->made; i++)
		thread_destroy(&runtime->thread[i]);
	pkt_release_store(runtime);
	free(runtime->thread);
	pthread_mutex_destroy(&runtime->store.lock);
	pthread_mutex_destroy(&runtime->control);
	free(runtime);
}

int runtime_initialise(struct runtime *runtime, __u32 *element, __u64 pause)
{
	struct thread *thread = &runtime->thread[0];
	int error = 0;

	thread_enter(thread);
	for (__u32 i = runtime->initialised; i < runtime->code->elements && !error; i++) {
		*element = i;
		if (runtime->clock.kind == CLOCK_SIMULATED)
			atomic_fetch_add(&runtime->clock.simulated, pause);
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
		char name[32];
		int error;

		thread->started = true;	/* first, since the thread reads it (poll_writable) */
		error = pthread_create(&thread->id, NULL, thread_main, thread);
		if (error) {
			thread->started = false;
			return -error;
		}
		snprintf(name, sizeof(name), "clickbpf/%u", i);
		pthread_setname_np(thread->id, name);
	}
	return 0;
}

int runtime_pin(struct runtime *runtime, __u32 cpu)
{
	int error = 0;

	for (__u32 i = 0; i < runtime->threads; i++) {
		cpu_set_t set;
		int failed;

		if (!runtime->thread[i].started)
			continue;
		CPU_ZERO(&set);
		CPU_SET(cpu + i, &set);
		failed = pthread_setaffinity_np(runtime->thread[i].id, sizeof(set), &set);
		error = i ? error : failed;
	}
	return -error;
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

int after_deferred(int result)
{
	deferred_run(current);
	return result;
}

int runtime_push(struct runtime *runtime, __u32 element, int port, const void *bytes, __u32 length)
{
	return LOCKED(runtime, after_deferred(push_in(runtime, element, port, bytes, length)));
}

int runtime_inject(struct runtime *runtime, __u32 device, const void *bytes, __u32 length)
{
	return LOCKED(runtime, after_deferred(device_receive(runtime, device, bytes, length, wall_clock())));
}

/* One turn of each thread that has something to do; returns whether there was one. */
static bool settle_round(struct runtime *runtime)
{
	bool any = false;

	for (__u32 i = 0; i < runtime->threads; i++) {
		struct thread *thread = &runtime->thread[i];
		struct heap_node *timer;

		thread_enter(thread);
		posts_deliver(thread);
		timer = heap_first(&thread->timers);
		if (thread_is_busy(thread) || (timer && timer->key <= now())) {
			thread_round(thread);
			any = true;
		}
		thread_leave(thread);
	}
	return any;
}

long runtime_settle(struct runtime *runtime, long rounds)
{
	while (rounds > 0 && !runtime->paused && settle_round(runtime))
		rounds--;
	return rounds;
}

int runtime_control(struct runtime *runtime, __u32 element, int op, __u64 argument)
{
	return LOCKED(runtime, after_deferred(runtime->code->control(element, op, argument)));
}

/* The caller holds the control mutex. */
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

__u32 thread_count(void)
{
	return current->runtime->threads;
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

struct question {
	host_function host;
	__u32 element, value;
};

static long ask_host(void *argument)
{
	const struct question *question = argument;

	return question->host(question->element, question->value);
}

/* The lock order is Python's GIL, then threads' locks; and handlers may need elements' locks. So a thread releases all its locks
 * for the call. The host, which holds all threads and had the GIL before, keeps them.
 */
long host_call(__u32 element, __u32 value)
{
	struct question question = {current->runtime->host, element, value};

	return question.host ? without_locks(ask_host, &question) : 0;
}

const __u64 *hash_key(void)
{
	return current->runtime->hash_key;
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
	return LOCKED(runtime, packets_of(runtime));
}
