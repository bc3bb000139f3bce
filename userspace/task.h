/* Tasks and timers, which run an element without a packet being pushed to it.
 *
 * Tasks run under stride scheduling: each run adds the task's stride, STRIDE_ONE / tickets, to its key, and the least key runs
 * next. A task runs once each time it is scheduled. A task that is woken runs one stride after the task that wakes it; a task that
 * found nothing to do lets the next one run first.
 *
 * Each belongs to one thread, and is in that thread's heap. Other threads schedule it by posting it: the owner adds posted ones to
 * its heaps at its next turn. Moving one to another thread takes all threads' locks (placement.c).
 */
#pragma once

#include "thread.h"

#define STRIDE_ONE (1u << 26)
#define TICKETS 1024
#define TIME_NEVER (~0ull)

struct task {
	struct heap_node node;
	bool (*run)(struct task *task);	/* true if it did work */
	struct thread *_Atomic thread;
	struct thread *home;		/* its thread after the current run, if it was moved meanwhile */
	struct post post;
	__u32 tickets, stride;
	bool scheduled, running;
	__u32 element;
	__u32 runs;
	__u64 busy;			/* CPU cycles used so far, estimated by sampling */
} __attribute__((aligned(CACHE_LINE)));

struct timer {
	struct heap_node node;		/* key: when it runs, by now() */
	void (*run)(struct timer *timer);
	struct thread *_Atomic thread;
	struct post post;
	_Atomic __u64 when;		/* the time last set; if posted, not yet the key */
	__u32 element;
};

#define thread_of(what) atomic_load_explicit(&(what)->thread, memory_order_relaxed)

/* The key of the running task; between tasks, that of the next one, or 0. */
static inline __u64 thread_pass(const struct thread *thread)
{
	const struct heap_node *next = heap_first(&thread->tasks);

	return thread->in_task ? thread->pass : next ? next->key : 0;
}

/* As the task's thread. */
static __always_inline void task_start(struct task *task)
{
	struct thread *thread = thread_of(task);

	if (task->scheduled)
		return;
	task->scheduled = true;
	if (task->running)
		return;
	task->node.key = thread_pass(thread) + task->stride;
	heap_insert(&thread->tasks, &task->node);
}

/* As the task's thread. */
static __always_inline void task_cancel(struct task *task)
{
	task->scheduled = false;
	if (task->node.position)
		heap_remove(&thread_of(task)->tasks, &task->node);
}

/* As any thread. */
static __always_inline void task_wake(struct task *task)
{
	if (CONCURRENT && thread_of(task) != current)
		post(thread_of(task), &task->post);
	else
		task_start(task);
}

/* As the timer's thread: update the heap to the time set. */
static inline void timer_place(struct timer *timer)
{
	__u64 when = atomic_load_explicit(&timer->when, memory_order_relaxed);

	if (timer->node.position)
		heap_remove(&thread_of(timer)->timers, &timer->node);
	timer->node.key = when;
	if (when != TIME_NEVER)
		heap_insert(&thread_of(timer)->timers, &timer->node);
}

/* As any thread. If several threads may set the timer, the caller holds the element's lock. */
static __always_inline void timer_start(struct timer *timer, __u64 when)
{
	atomic_store_explicit(&timer->when, when, memory_order_relaxed);
	if (CONCURRENT && thread_of(timer) != current)
		post(thread_of(timer), &timer->post);
	else
		timer_place(timer);
}

static __always_inline void timer_cancel(struct timer *timer)
{
	timer_start(timer, TIME_NEVER);
}

/* Called by the timer's thread about to run it; false if another thread has just changed its time. */
static inline bool timer_is_due(struct timer *timer)
{
	if (atomic_load_explicit(&timer->when, memory_order_relaxed) != timer->node.key)
		return false;
	atomic_store_explicit(&timer->when, TIME_NEVER, memory_order_relaxed);
	return true;
}
