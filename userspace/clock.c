/* The runtime's time: the machine's, or a simulated one, which all threads share.
 *
 * Simulated time stands still until the host sets it or – where threads run – until none of them has anything to do: then
 * it jumps to the first timer.
 */
#include "runtime.h"

/* The time of the first timer, TIME_NEVER if there is none, or 0 if a thread is busy. With all locks. */
static __u64 first_event(struct runtime *runtime)
{
	__u64 first = TIME_NEVER;

	for (__u32 i = 0; i < runtime->threads; i++) {
		struct heap_node *node = heap_first(&runtime->thread[i].timers);

		if (thread_is_busy(&runtime->thread[i]))
			return 0;
		if (node && node->key < first)
			first = node->key;
	}
	return first;
}

/* A thread has nothing to do; the last one to say so lets time pass. */
void clock_advance(struct runtime *runtime)
{
	__u64 first;

	runtime_lock(runtime);
	first = runtime->paused ? 0 : first_event(runtime);
	if (first && first != TIME_NEVER && first > atomic_load(&runtime->clock))
		atomic_store(&runtime->clock, first);
	for (__u32 i = 0; first && i < runtime->threads; i++) {
		struct heap_node *node = heap_first(&runtime->thread[i].timers);

		if (node && node->key <= atomic_load(&runtime->clock))
			thread_wake(&runtime->thread[i]);
	}
	runtime_unlock(runtime);
}

void runtime_set_clock(struct runtime *runtime, __u64 clock)
{
	runtime_lock(runtime);
	atomic_store(&runtime->clock, clock);
	if (!runtime->initialised)
		runtime->hash_key[0] = runtime->hash_key[1] = 1;
	for (__u32 i = 0; i < runtime->threads; i++)
		runtime->thread[i].clock = &runtime->clock;
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
	__u64 first = TIME_NEVER;

	runtime_lock(runtime);
	for (__u32 i = 0; i < runtime->threads; i++) {
		struct heap_node *node;

		posts_deliver(&runtime->thread[i]);
		node = heap_first(&runtime->thread[i].timers);
		if (node && node->key < first)
			first = node->key;
	}
	runtime_unlock(runtime);
	return first;
}
