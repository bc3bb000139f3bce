/* Pipeliner: one thread pushes on the packets of all threads. */
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "threads/rings.inc.h"

#define CLOSED 0xfffffffffffffffeull	/* the maximum of an eventfd: it isn't writable then */

/* Threads without room in their ring wait at the gate, an eventfd, until it is writable. */
static void SELF(close_gate)(struct SELF(pipe) *pipe)
{
	if (!pipe->closed)
		pipe->closed = !eventfd_write(pipe->gate, CLOSED);
}

static void SELF(open_gate)(struct SELF(pipe) *pipe)
{
	eventfd_t value;

	if (pipe->closed)
		pipe->closed = !!eventfd_read(pipe->gate, &value);
}

/* Put the packet into this thread's ring. If that is full, wait for the element's thread to make room, if BLOCKING; but not on that
 * thread itself.
 */
static bool SELF(put_or_wait)(struct SELF(pipe) *pipe, struct pkt *p)
{
	struct SELF(rings) *ring = SELF(ring)(this_thread());

	while (!SELF(put)(ring, p)) {
		ring->dropped++;
		if (!cfg.blocking || task_is_here())
			return false;
		SELF(close_gate)(pipe);
		if (!poll_writable(pipe->gate))
			return false;
	}
	ring->count++;
	return true;
}

ELEMENT(Pipeliner)
{
	struct SELF(pipe) *pipe = private(pipe);

	if (cfg.direct_traversal && task_is_here() && !SELF(ring)(this_thread())->length)
		return OUTPUT(0);
	if (!SELF(put_or_wait)(pipe, p))
		return DROP(FULL);
	if (pipe->active)
		task_schedule();
	return STOLEN;
}

/* A thread's turn: up to BURST packets. */
static __u32 SELF(empty)(struct SELF(pipe) *pipe, struct SELF(rings) *ring)
{
	struct pkt *p;
	__u32 sent = 0;

	while (sent < cfg.burst && (p = SELF(take)(ring))) {
		emit(p, 0);
		sent++;
	}
	if (ring->length > pipe->highwater)
		pipe->highwater = ring->length;
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
		SELF(open_gate)(pipe);
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
