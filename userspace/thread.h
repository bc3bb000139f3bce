/* One thread of the runtime: whatever it needs on a packet's way is here, so that threads share nothing.
 *
 * `current` is the thread whose work is being done. A thread of the host that injects a packet or runs a handler takes
 * the lock of a runtime thread and acts as that thread meanwhile (thread_enter, thread_leave).
 */
#ifndef CLICKBPF_THREAD_H
#define CLICKBPF_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include "base.h"
#include "heap.h"

#define BUFFER_MIN 4096
#define BUFFER_CLASSES 6

struct buffer {
	struct buffer *next;
};

struct pkt_list {
	struct pkt *first, **end;
	__u32 length;
};

struct thread {
	struct pkt *free;			/* the pool */
	struct buffer *buffers[BUFFER_CLASSES];
	long packets;				/* taken from the pool less given back: may be negative on one thread */
	__u32 slot;				/* its place in PerThread states */
	bool simulated;				/* `clock` stands until it is set */
	__u64 clock;
	__u64 random;
	struct pkt_list deferred;		/* packets on their way round a cycle */
	__u64 pass;				/* stride scheduling: key of the task that ran last */
	struct heap tasks, timers;
	struct runtime *runtime;
	int poll;				/* epoll instance */
	int wake;				/* eventfd: something was scheduled from outside */
	atomic_bool asleep;
	pthread_mutex_t lock;			/* held, perhaps more than once, by whoever acts as this thread */
	__u32 depth;				/* how often the host holds it */
	atomic_int waiting;			/* host threads that want the lock */
	pthread_t id;
	bool started;
};

/* One pointer a process, so the fast model never runs out of room. */
extern EXPORT __thread struct thread *current __attribute__((tls_model("initial-exec")));

static __always_inline __u32 this_slot(void)
{
	return current->slot;
}

/* Nanoseconds on the clock that BPF programs read too (CLOCK_MONOTONIC), or simulated ones. */
static inline __u64 now(void)
{
	const struct thread *thread = current;
	struct timespec time;

	if (unlikely(thread->simulated))
		return thread->clock;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* Nanoseconds since 1970, for packets' timestamps; simulated time begins in 1970. */
static inline __u64 wall_clock(void)
{
	const struct thread *thread = current;
	struct timespec time;

	if (unlikely(thread->simulated))
		return thread->clock;
	clock_gettime(CLOCK_REALTIME, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* xorshift64*, Vigna 2016: no secrets depend on it. */
static inline __u32 random_u32(void)
{
	__u64 x = current->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	current->random = x;
	return (x * 0x2545f4914f6cdd1dull) >> 32;
}

#endif
