/* The lock of an element that several threads come to.
 *
 * It is held for the time of an action, so whoever has to wait spins; with more threads than CPUs its holder may not be
 * running, and after a while the waiting one gives its CPU away. Whoever is quick takes the lock next, for that is cheap;
 * but one that has lost too often is let in. A thread may take a lock that it holds. Locks are released in the reverse
 * order.
 */
#ifndef CLICKBPF_LOCK_H
#define CLICKBPF_LOCK_H

#include "thread.h"

struct lock {
	struct thread *_Atomic holder;
	_Atomic __u32 starving;	/* threads that have waited too long */
	__u32 depth;		/* how often the holder took it besides */
	struct lock *outer;	/* what the holder took before */
} __attribute__((aligned(CACHE_LINE)));

/* Take a lock that another thread has; let those in who have waited long for one that was just released. */
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

/* A lock that a configuration names: taken and released at any place, and kept while Python is asked. */
struct spinlock {
	struct lock lock;
};

/* Wait for it, or for the end of the run: a configuration may be such that it is never released. */
EXPORT void spinlock_wait(struct spinlock *spinlock);

static inline void spinlock_take(struct spinlock *spinlock)
{
	struct lock *lock = &spinlock->lock;

	if (atomic_load_explicit(&lock->holder, memory_order_relaxed) == current)
		lock->depth++;
	else if (!lock_try(lock))
		spinlock_wait(spinlock);
}

/* Of a thread that doesn't hold it, nothing. */
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

#endif
