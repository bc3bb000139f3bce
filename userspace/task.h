/* Tasks and timers: what makes an element run without a packet pushed at it.
 *
 * Tasks run under stride scheduling: each run adds the task's stride, STRIDE_ONE / tickets, to its key, and the least key
 * runs next. A task runs once for each time it is scheduled. Both belong to one thread and are changed by whoever acts
 * as that thread; task_wake may be called from anywhere.
 */
#ifndef CLICKBPF_TASK_H
#define CLICKBPF_TASK_H

#include "thread.h"

#define STRIDE_ONE (1 << 16)
#define TICKETS 1024

struct task {
	struct heap_node node;
	bool (*run)(struct task *task);	/* true if it did work */
	struct thread *thread;
	__u32 stride;
	bool scheduled, running;
	__u32 element;
};

struct timer {
	struct heap_node node;		/* key: when, by now() */
	void (*run)(struct timer *timer);
	struct thread *thread;
};

static __always_inline void task_start(struct task *task)
{
	struct thread *thread = task->thread;

	if (task->scheduled)
		return;
	task->scheduled = true;
	if (task->running)
		return;
	if (task->node.key < thread->pass)
		task->node.key = thread->pass;
	heap_insert(&thread->tasks, &task->node);
}

static __always_inline void task_cancel(struct task *task)
{
	task->scheduled = false;
	if (task->node.position)
		heap_remove(&task->thread->tasks, &task->node);
}

static __always_inline void timer_cancel(struct timer *timer)
{
	if (timer->node.position)
		heap_remove(&timer->thread->timers, &timer->node);
}

static __always_inline void timer_start(struct timer *timer, __u64 when)
{
	timer_cancel(timer);
	timer->node.key = when;
	heap_insert(&timer->thread->timers, &timer->node);
}

#endif
