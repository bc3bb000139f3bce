/* Pipeliner: one thread pushes on the packets of all threads. */
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "threads/rings.inc.h"

#define CLOSED 0xfffffffffffffffeull	/* the maximum of an eventfd: it isn't writable then */

/* Threads without room in their ring wait at the gate, an eventfd, until it is writable. After the fences either they see the room that
 * the element's thread has made, or that thread sees the gate closed.
 */
static void SELF(set_gate)(struct SELF(pipe) *pipe, bool closed)
{
	eventfd_t value;

	SELF(lock)();
	if (pipe->closed != closed && !(closed ? eventfd_write(pipe->gate, CLOSED) : eventfd_read(pipe->gate, &value)))
		__atomic_store_n(&pipe->closed, closed, __ATOMIC_RELAXED);
	SELF(unlock)();
}

static bool SELF(wait)(struct SELF(pipe) *pipe, const struct SELF(rings) *ring)
{
	SELF(set_gate)(pipe, true);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return SELF(waiting)(ring) < cfg.capacity || poll_writable(pipe->gate);
}

static void SELF(let_in)(struct SELF(pipe) *pipe)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&pipe->closed, __ATOMIC_RELAXED))
		SELF(set_gate)(pipe, false);
}

/* Put the packet into this thread's ring. If that is full, wait for the element's thread to make room, if BLOCKING; but not on that
 * thread itself.
 */
static bool SELF(put_or_wait)(struct SELF(pipe) *pipe, struct pkt *p)
{
	struct SELF(rings) *ring = SELF(ring)(this_thread());

	while (!SELF(put)(ring, p)) {
		ring->dropped++;
		if (!cfg.blocking || task_is_here() || !SELF(wait)(pipe, ring))
			return false;
	}
	ring->count++;
	return true;
}

static void SELF(wake)(void)
{
	task_schedule();
}

ELEMENT(Pipeliner)
{
	struct SELF(pipe) *pipe = private(pipe);

	if (cfg.direct_traversal && task_is_here() && !SELF(waiting)(SELF(ring)(this_thread())))
		return OUTPUT(0);
	if (!SELF(put_or_wait)(pipe, p))
		return DROP(FULL);
	if (pipe->active && task_is_here())
		task_schedule();
	else if (pipe->active)
		wake_later(SELF(wake));
	return STOLEN;
}

/* A thread's turn: up to BURST packets. */
static __u32 SELF(empty)(struct SELF(pipe) *pipe, struct SELF(rings) *ring)
{
	struct pkt *p;
	__u32 sent = 0, left;

	while (sent < cfg.burst && (p = SELF(take)(ring))) {
		emit(p, 0);
		sent++;
	}
	left = SELF(waiting)(ring);
	if (left > pipe->highwater)
		pipe->highwater = left;
	return sent;
}

TASK()
{
	struct SELF(pipe) *pipe = private(pipe);
	__u32 worked = 0;

	if (!pipe->active)
		return false;
	pipe->turn++;
	for (__u32 i = 0; i < thread_count(); i++)
		worked += SELF(empty)(pipe, SELF(ring)((pipe->turn + i) % thread_count()));
	if (worked) {
		SELF(let_in)(pipe);
		task_schedule();
	}
	return worked;
}

INIT()
{
	struct SELF(pipe) *pipe = private(pipe);

	pipe->gate = cfg.blocking ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
	if (cfg.blocking && pipe->gate < 0)
		return -errno;
	return 0;
}

CLEANUP()
{
	SELF(free_rings)();
	if (private(pipe)->gate >= 0)
		close(private(pipe)->gate);
}
