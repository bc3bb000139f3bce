/* A thread of the runtime, with its own pool of packets, heaps and descriptors, so that threads share nothing while they process
 * packets.
 *
 * `current` is the thread whose work is being done. A thread of the host that injects a packet or runs a handler takes
 * the lock of a runtime thread and acts as that thread meanwhile (thread_enter, thread_leave).
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include "base.h"
#include "heap.h"

/* Whether the router may run on several threads; the emitter defines it. */
#ifndef CONCURRENT
#define CONCURRENT 1
#endif

#define BUFFER_MIN 4096
#define BUFFER_CLASSES 6

#define PKT_BATCH 128			/* free packets in a batch */
#define PKT_AHEAD 4			/* packets that are fetched into a CPU's cache before one is used */

/* The most wake-ups of other threads that a thread puts off (after Chen and Morris 2001, 4.6). */
#define WAKE_AFTER 8

struct thread;

struct buffer {
	struct buffer *next;
};

struct pkt_list {
	struct pkt *first, **end;
	__u32 length;
};

/* Limits of nested calls round a cycle of the graph: how many one packet may cause, and how many bytes of stack they may take,
 * before further ones are deferred.
 */
#define ROUNDS_AT_ONCE 256
#define ROUNDS_STACK (1 << 20)

struct rounds {
	const char *outermost;			/* the stack's position at the first of them */
	__u32 depth, begun;			/* calls in progress; all calls since the first */
};

/* Part of a task or timer that another thread has posted to its owner. */
struct post {
	struct post *next;
	void (*deliver)(struct post *post, struct thread *thread);	/* as that thread */
	atomic_bool posted;
};

/* Bytes that a thread gets from the kernel at once: a call for each packet would cost more than the cipher. */
#define SECRETS 4096

struct thread {
	__u32 spare;				/* free packets on hand (pkt.c), */
	__u32 cold;				/* and of these, how many may be in another CPU's cache, the first ones */
	struct buffer *buffers[BUFFER_CLASSES];
	__u32 buffered[BUFFER_CLASSES];
	long allocated;				/* packets allocated minus packets returned to the system; may be negative on one thread */
	__u32 number;				/* from 0 */
	__u32 slot;				/* its place in PerThread states */
	const struct clock *clock;		/* a clock other than the machine's, or NULL */
	__u64 random;
	__u32 secrets;				/* how many of these bytes haven't been used yet, the first ones (secret_bytes) */
	__u8 secret[SECRETS];
	struct rounds rounds;
	struct pkt_list deferred;		/* packets on a cycle that has reached these limits */
	__u64 pass;				/* stride scheduling: key of the running task, */
	bool in_task;				/* if there is one */
	struct heap tasks, timers;
	__u32 head_start;			/* rounds of tasks still to run before the first timer */
	struct lock *locks;			/* elements' locks that it holds, the last taken first */
	struct sending *sending;		/* what it sends in batches (sending.c), or NULL */
	void (*wakeup[WAKE_AFTER])(void);	/* wake-ups of other threads that are put off (wake_later), */
	__u32 put_off;				/* and how many there are */
	struct runtime *runtime;
	int poll;				/* epoll instance */
	_Atomic __u32 watches;			/* counts changes to that epoll instance */
	int wake;				/* eventfd: something was scheduled from outside */
	pthread_t id;
	bool started;
	__u64 wakes_at;				/* while it sleeps, the time of its first timer, or TIME_NEVER */
	__u64 idle_since;			/* the time since when it has had nothing to do */
	__u64 patience;				/* how long it looks for posts before it sleeps, in nanoseconds (thread_learn) */
	__u32 depth;				/* how often the host holds the lock */
	pthread_mutex_t lock;			/* held, perhaps more than once, by the thread that acts as this one */
	struct pkt *free[2 * PKT_BATCH];	/* the free packets, the last freed last */

	/* Written by other threads. */
	struct post *_Atomic posted __attribute__((aligned(CACHE_LINE)));
	atomic_bool asleep;
	_Atomic __u64 woken_at;			/* when it was last woken, */
	atomic_int woken_on;			/* and the CPU of the thread that did it */
	atomic_int waiting;			/* host threads that want the lock */
} __attribute__((aligned(CACHE_LINE)));

/* One pointer per process, so the static TLS block always has room for it. */
extern EXPORT __thread struct thread *current __attribute__((tls_model("initial-exec")));

/* Post to `thread`, unless already posted. */
EXPORT void post(struct thread *thread, struct post *post);
/* Call what was put off. */
EXPORT void wakeups_send(struct thread *thread);

/* Call `wakeup` after some packets, or at the end of the thread's round. The host, which acts as the thread, isn't put off. */
static __always_inline void wake_later(void (*wakeup)(void))
{
	struct thread *thread = current;

	thread->wakeup[thread->put_off++] = wakeup;
	if (unlikely(thread->put_off == WAKE_AFTER || thread->depth))
		wakeups_send(thread);
}

static inline void cpu_relax(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	asm volatile("isb" ::: "memory");	/* yield returns at once on most */
#endif
}

/* Have a cache line that another CPU may have changed in this one's cache soon. */
static __always_inline void prefetch_to_write(const void *address)
{
#ifdef __x86_64__
	asm volatile("prefetchw %0" ::"m"(*(const char *)address));	/* compilers use it for some CPUs only */
#else
	__builtin_prefetch(address, 1);
#endif
}

static __always_inline __u32 this_slot(void)
{
	return current->slot;
}

static __always_inline __u32 this_thread(void)
{
	return current->number;
}

static inline __u64 machine_clock(clockid_t id)
{
	struct timespec time;

	clock_gettime(id, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* The time of `clock`, as CLOCK_MONOTONIC or CLOCK_REALTIME. */
EXPORT __u64 clock_read(const struct clock *clock, clockid_t id);

static inline __u64 read_clock(clockid_t id)
{
	const struct thread *thread = current;

	return unlikely(thread->clock) ? clock_read(thread->clock, id) : machine_clock(id);
}

/* Nanoseconds on CLOCK_MONOTONIC, as in BPF programs, or on the runtime's own clock. */
static inline __u64 now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* The same, up to some milliseconds old, at a fifth of the cost. */
static inline __u64 now_coarse(void)
{
	return read_clock(CLOCK_MONOTONIC_COARSE);
}

/* Nanoseconds since 1970, for packets' timestamps; simulated time begins in 1970. */
static inline __u64 wall_clock(void)
{
	return read_clock(CLOCK_REALTIME);
}

/* Convert a time of the machine's CLOCK_MONOTONIC, as BPF programs read it, to wall_clock(). Simulated time gives the current time. */
EXPORT __u64 wall_clock_at(__u64 time);

/* Up to SECRETS random bytes that nobody can predict, from the kernel; false if it has none, or for more bytes. */
EXPORT bool secret_bytes(void *to, __u32 size);

/* xorshift64* (Vigna 2016). Not for secrets. */
static inline __u32 random_u32(void)
{
	__u64 x = current->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	current->random = x;
	return (x * 0x2545f4914f6cdd1dull) >> 32;
}
