/* The lock of an element that several threads use.
 *
 * A spin lock, held only during an action. With more threads than CPUs its holder may not be running, so after a while waiting
 * threads yield. The lock isn't fair: waiting threads check it rarely, so that its last holder, which has the guarded data in its
 * cache, usually takes it again for a number of packets; moving it to another CPU costs more than a packet. After too long a wait,
 * a thread goes first. Locks are recursive, and released in reverse order.
 */
#pragma once

#include "thread.h"

struct lock {
	struct thread *_Atomic holder;
	_Atomic __u32 starving;	/* number of threads that have waited too long */
	__u32 depth;		/* how many more times the holder has taken it */
	struct lock *outer;	/* the lock that the holder took before this one */
} __attribute__((aligned(CACHE_LINE)));

/* Wait for a lock held by another thread; after releasing a lock, let starving threads take it. */
EXPORT void lock_wait(struct lock *lock);
EXPORT void lock_let_in(struct lock *lock);

static __always_inline bool lock_try(struct lock *lock)
{
	struct thread *nobody = NULL;

	return atomic_compare_exchange_strong_explicit(&lock->holder, &nobody, current, memory_order_acquire, memory_order_relaxed);
}

static __always_inline void lock_seize(struct lock *lock)
{
	if (unlikely(!lock_try(lock)))
		lock_wait(lock);
}

static __always_inline void lock_vacate(struct lock *lock)
{
	atomic_store_explicit(&lock->holder, NULL, memory_order_release);
	if (unlikely(atomic_load_explicit(&lock->starving, memory_order_relaxed)))
		lock_let_in(lock);
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
	lock_vacate(lock);
}

/* A lock that a configuration names (SpinlockAcquire): taken and released anywhere, and kept while Python is called. */
struct spinlock {
	struct lock lock;
};

/* Wait for the lock, or for the end of the run: a configuration may never release it. */
EXPORT void spinlock_wait(struct spinlock *spinlock);

static inline void spinlock_take(struct spinlock *spinlock)
{
	struct lock *lock = &spinlock->lock;

	if (atomic_load_explicit(&lock->holder, memory_order_relaxed) == current)
		lock->depth++;
	else if (!lock_try(lock))
		spinlock_wait(spinlock);
}

/* Does nothing if the thread doesn't hold it. */
static inline void spinlock_release(struct spinlock *spinlock)
{
	struct lock *lock = &spinlock->lock;

	if (atomic_load_explicit(&lock->holder, memory_order_relaxed) != current)
		return;
	if (lock->depth)
		lock->depth--;
	else
		lock_vacate(lock);
}
