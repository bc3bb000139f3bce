/* Assigns tasks, timers and events to threads. They run on their element's home thread, which may be changed at any time.
 *
 * One more thread, after the last, never runs: it is the home of stopped tasks (Click's thread -1).
 */
#include <errno.h>
#include "runtime.h"

static void deliver_task(struct post *posted, struct thread *thread)
{
	struct task *task = container_of(posted, struct task, post);

	if (thread_of(task) == thread)
		task_start(task);
	else
		post(thread_of(task), posted);
}

static void deliver_timer(struct post *posted, struct thread *thread)
{
	struct timer *timer = container_of(posted, struct timer, post);

	if (thread_of(timer) == thread)
		timer_place(timer);
	else
		post(thread_of(timer), posted);
}

void task_init(struct task *task, struct thread *thread)
{
	atomic_store(&task->thread, thread);
	task->home = thread;
	task->post.deliver = deliver_task;
	task_set_tickets(task, task->tickets);
}

void timer_init(struct timer *timer, struct thread *thread)
{
	atomic_store(&timer->thread, thread);
	atomic_store(&timer->when, TIME_NEVER);
	timer->post.deliver = deliver_timer;
}

/* A task without tickets, once it has run, comes after all others. */
void task_set_tickets(struct task *task, __u32 tickets)
{
	task->tickets = tickets;
	task->stride = tickets ? STRIDE_ONE / tickets : ~0u;
}

/* At first everything is on thread 0; an element's tasks go to consecutive threads. */
void place_all(struct runtime *runtime)
{
	const struct router_code *code = runtime->places;
	__u32 number = 0;

	for (__u32 i = 0; i < code->tasks; i++) {
		number = i && code->task[i]->element == code->task[i - 1]->element ? number + 1 : 0;
		task_init(code->task[i], &runtime->thread[number % runtime->threads]);
	}
	for (__u32 i = 0; i < code->timers; i++)
		timer_init(code->timer[i], &runtime->thread[0]);
	for (__u32 i = 0; i < code->events; i++)
		code->event[i]->thread = &runtime->thread[0];
}

/* Move a timer, with the locks of both threads. */
void timer_move(struct timer *timer, struct thread *to)
{
	posts_deliver(thread_of(timer));
	if (timer->node.position)
		heap_remove(&thread_of(timer)->timers, &timer->node);
	atomic_store(&timer->thread, to);
	post(to, &timer->post);
}

static void leave(struct task *task)
{
	bool scheduled = task->scheduled;

	task_cancel(task);
	task->node.key = 0;
	atomic_store(&task->thread, task->home);
	if (scheduled)
		post(task->home, &task->post);
}

/* Move a task, with the locks of both threads. False if it is running; it then moves when it has finished. */
bool task_move(struct task *task, struct thread *to)
{
	posts_deliver(thread_of(task));
	task->home = to;
	if (!task->running)
		leave(task);
	return !task->running;
}

static void move_timers(struct runtime *runtime, __u32 element, struct thread *to)
{
	const struct router_code *code = runtime->places;

	for (__u32 i = 0; i < code->timers; i++)
		if (code->timer[i]->element == element)
			timer_move(code->timer[i], to);
}

/* Complete the move of a task that was requested while it ran. */
void task_go_home(struct runtime *runtime, struct task *task)
{
	move_timers(runtime, task->element, task->home);
	leave(task);
}

/* Descriptors stay on the thread that first watched them, so an event can only be moved before that. */
static void move_events(struct runtime *runtime, __u32 element, struct thread *to)
{
	const struct router_code *code = runtime->places;

	for (__u32 i = 0; i < code->events && !runtime->initialised; i++)
		if (code->event[i]->element == element)
			code->event[i]->thread = to;
}

static struct task *find_task(struct runtime *runtime, __u32 element)
{
	const struct router_code *code = runtime->places;

	for (__u32 i = 0; i < code->tasks; i++)
		if (code->task[i]->element == element)
			return code->task[i];
	return NULL;
}

int runtime_move(struct runtime *runtime, __u32 element, int thread)
{
	struct task *task = find_task(runtime, element);
	struct thread *to;

	if (thread >= (int)runtime->threads)
		return -EINVAL;
	to = &runtime->thread[thread < 0 ? runtime->threads : (__u32)thread];
	runtime_lock(runtime);
	move_events(runtime, element, to);
	if (!task || task_move(task, to))
		move_timers(runtime, element, to);
	runtime_unlock(runtime);
	return 0;
}

int runtime_task(struct runtime *runtime, __u32 element, struct task_state *state)
{
	struct task *task = find_task(runtime, element);

	if (!task)
		return -ENOENT;
	runtime_lock(runtime);
	state->thread = task->home - runtime->thread;
	if (state->thread == (int)runtime->threads)
		state->thread = -1;
	state->scheduled = task->scheduled || atomic_load(&task->post.posted);
	state->tickets = task->tickets;
	state->busy = task->busy;
	runtime_unlock(runtime);
	return 0;
}

int runtime_set_tickets(struct runtime *runtime, __u32 element, __u32 tickets)
{
	struct task *task = find_task(runtime, element);

	if (!task)
		return -ENOENT;
	runtime_lock(runtime);
	task_set_tickets(task, tickets);
	runtime_unlock(runtime);
	return 0;
}
