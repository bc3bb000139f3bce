/* The runtime's clock, shared by all threads: the machine's, a simulated one, or the machine's made faster or slower.
 *
 * Simulated time stands still until the host sets it, or until all running threads are idle: it then jumps to the first timer.
 * Impatient time jumps likewise, and runs meanwhile.
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

__u64 clock_read(const struct clock *clock, clockid_t id)
{
	const int wall = id == CLOCK_REALTIME;

	if (clock->kind == CLOCK_SIMULATED)
		return atomic_load_explicit(&clock->simulated, memory_order_relaxed);
	return clock->at[wall] + (__s64)((double)(__s64)(machine_clock(id) - clock->since[wall]) * clock->speed);
}

__u64 wall_clock_at(__u64 time)
{
	const struct clock *clock = current->clock;

	if (!clock)
		return time + machine_clock(CLOCK_REALTIME) - machine_clock(CLOCK_MONOTONIC);
	if (clock->kind == CLOCK_SIMULATED)
		return wall_clock();
	return clock->at[1] + (__s64)((double)(__s64)(time - clock->since[0]) * clock->speed);
}

static void jump(struct clock *clock, __u64 time)
{
	const __u64 distance = time - clock_read(clock, CLOCK_MONOTONIC);

	if (clock->kind == CLOCK_SIMULATED) {
		atomic_store(&clock->simulated, time);
	} else {
		clock->at[0] += distance;
		clock->at[1] += distance;
	}
}

/* Called by a thread with nothing to do: when all are idle, let the clock jump. */
void clock_advance(struct runtime *runtime)
{
	struct clock *clock = &runtime->clock;
	__u64 first;

	runtime_lock(runtime);
	first = runtime->paused || !clock_jumps(clock) ? 0 : first_event(runtime);
	if (first && first != TIME_NEVER && first > clock_read(clock, CLOCK_MONOTONIC))
		jump(clock, first);
	for (__u32 i = 0; first && i < runtime->threads; i++) {
		struct heap_node *node = heap_first(&runtime->thread[i].timers);

		if (node && node->key <= clock_read(clock, CLOCK_MONOTONIC))
			thread_wake(&runtime->thread[i]);
	}
	runtime_unlock(runtime);
}

/* Switch the threads to the runtime's clock. With all locks. */
static void follow(struct runtime *runtime)
{
	if (runtime->clock.kind == CLOCK_SIMULATED && !runtime->initialised)
		runtime->hash_key[0] = runtime->hash_key[1] = 1;
	for (__u32 i = 0; i < runtime->threads; i++)
		runtime->thread[i].clock = &runtime->clock;
}

void runtime_set_clock(struct runtime *runtime, __u64 clock)
{
	runtime_lock(runtime);
	runtime->clock.kind = CLOCK_SIMULATED;
	atomic_store(&runtime->clock.simulated, clock);
	follow(runtime);
	runtime_unlock(runtime);
}

void runtime_warp(struct runtime *runtime, double speed, int impatient)
{
	const clockid_t ids[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
	struct clock *clock = &runtime->clock;

	runtime_lock(runtime);
	for (int i = 0; i < 2; i++) {
		const __u64 time = read_clock(ids[i]);

		clock->since[i] = machine_clock(ids[i]);
		clock->at[i] = time;
	}
	if (!impatient || !current->clock)
		clock->speed = impatient ? 1 : speed;
	clock->kind = impatient ? CLOCK_IMPATIENT : CLOCK_WARPED;
	follow(runtime);
	for (__u32 i = 0; i < runtime->threads; i++)
		thread_wake(&runtime->thread[i]);
	runtime_unlock(runtime);
}

void runtime_take_clock(struct runtime *runtime, struct runtime *old)
{
	runtime_lock(old);
	if (old->thread[0].clock) {
		runtime->clock = old->clock;
		follow(runtime);
	}
	runtime_unlock(old);
}

__u64 runtime_clock(struct runtime *runtime)
{
	return LOCKED(runtime, now());
}

__u64 runtime_wall_clock(struct runtime *runtime)
{
	return LOCKED(runtime, wall_clock());
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
