/* The slow paths of elements' locks (lock.h), and the host's hold on all threads. */
#include "lock.h"
#include <sched.h>
#include "runtime.h"

#define SPINS 200
/* Exponential backoff of waiting threads: the first and the longest pause between checks, in nanoseconds, and the number of checks
 * before a thread counts as starving.
 */
#define LOOK_FIRST 250
#define LOOK_LAST 4000
#define LOOKS_AT_MOST 16

/* How often the host, in this thread, holds the locks of all threads. */
static __thread __u32 all_held;

static bool is_free(const struct lock *lock)
{
	return !atomic_load_explicit(&lock->holder, memory_order_relaxed);
}

static void wait_until_free(const struct lock *lock)
{
	for (int spins = 0; !is_free(lock); spins++)
		if (spins < SPINS)
			cpu_relax();
		else
			sched_yield();
}

static void relax_for(__u64 time)
{
	const __u64 end = machine_clock(CLOCK_MONOTONIC) + time;

	do
		cpu_relax();
	while (machine_clock(CLOCK_MONOTONIC) < end);
}

/* Try to take a lock by a few checks with growing pauses. */
static bool lock_at_a_look(struct lock *lock)
{
	__u64 time = LOOK_FIRST;

	for (int looks = 0; looks < LOOKS_AT_MOST; looks++) {
		relax_for(time);
		if (is_free(lock) && lock_try(lock))
			return true;
		time = time < LOOK_LAST ? 2 * time : LOOK_LAST;
	}
	return false;
}

void lock_wait(struct lock *lock)
{
	if (lock_at_a_look(lock))
		return;
	atomic_fetch_add(&lock->starving, 1);
	do
		wait_until_free(lock);
	while (!lock_try(lock));
	atomic_fetch_sub(&lock->starving, 1);
}

void spinlock_wait(struct spinlock *spinlock)
{
	wakeups_send(current);
	for (int spins = 0; !lock_try(&spinlock->lock) && !atomic_load(&current->runtime->stopping); spins++)
		if (spins < SPINS)
			cpu_relax();
		else
			sched_yield();
}

/* Bounded, since the starving threads may not be running. */
void lock_let_in(struct lock *lock)
{
	for (int spins = 0; spins < SPINS && is_free(lock); spins++)
		cpu_relax();
}

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

static long without_thread(long (*f)(void *argument), void *argument)
{
	struct thread *thread = current;
	__u32 depth = thread->depth, held = all_held ? 0 : depth ?: 1;
	long result;

	if (thread->sending)
		sending_flush(thread->sending);
	wakeups_send(thread);
	atomic_fetch_add(&thread->runtime->away, 1);
	if (held) {
		thread->depth = 0;
		current = NULL;
	}
	for (__u32 i = 0; i < held; i++)
		pthread_mutex_unlock(&thread->lock);
	result = f(argument);
	for (__u32 i = 0; i < held; i++)
		pthread_mutex_lock(&thread->lock);
	if (held)
		thread->depth = depth;
	current = thread;
	atomic_fetch_sub(&thread->runtime->away, 1);
	return result;
}

long without_locks(long (*f)(void *argument), void *argument)
{
	struct lock *lock = current->locks, *outer;
	__u32 depth;
	long result;

	if (!lock)
		return without_thread(f, argument);
	depth = lock->depth;
	outer = lock->outer;
	lock->depth = 0;
	lock_release(lock);
	result = without_locks(f, argument);
	lock_seize(lock);
	lock->depth = depth;
	lock->outer = outer;
	current->locks = lock;
	return result;
}
