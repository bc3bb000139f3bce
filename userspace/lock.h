/* The lock of an element that several threads come to.
 *
 * It is held for the time of an action, so whoever has to wait spins; with more threads than CPUs its holder may not be
 * running, and after a while the waiting one gives its CPU away. A thread may take a lock that it holds. Locks are
 * released in the reverse order.
 */
#ifndef CLICKBPF_LOCK_H
#define CLICKBPF_LOCK_H

#include "thread.h"

struct lock {
	struct thread *_Atomic holder;
	__u32 depth;		/* how often the holder took it besides */
	struct lock *outer;	/* what the holder took before */
} __attribute__((aligned(CACHE_LINE)));

/* Wait until a lock that another one holds looks free. */
EXPORT void lock_wait(struct lock *lock);

static __always_inline void lock_seize(struct lock *lock)
{
	struct thread *nobody = NULL;

	while (!atomic_compare_exchange_weak_explicit(&lock->holder, &nobody, current, memory_order_acquire,
						      memory_order_relaxed)) {
		lock_wait(lock);
		nobody = NULL;
	}
}

static __always_inline void lock_take(struct lock *lock)
{
	if (unlikely(atomic_load_explicit(&lock->holder, memory_order_relaxed) == current)) {
		lock->depth++;
		return;
	}
	lock_seize(lock);
	lock->outer = current->locks;
	current->locks = lock;
}

static __always_inline void lock_release(struct lock *lock)
{
	if (unlikely(lock->depth)) {
		lock->depth--;
		return;
	}
	current->locks = lock->outer;
	atomic_store_explicit(&lock->holder, NULL, memory_order_release);
}

#endif
