/* A running router: memory, threads, devices, and the calls by which the host drives it. */
#ifndef CLICKBPF_RUNTIME_H
#define CLICKBPF_RUNTIME_H

#include "device.h"
#include "drops.h"
#include "router.h"

struct drops {
	__u64 reason[DROP_REASONS];
} __attribute__((aligned(CACHE_LINE)));

struct device {
	struct device_output *output[SIDES];
	__u8 address[6];		/* zero where unknown */
};

/* An element's question to its Python side, and the answer; `value` is the class's own. */
typedef long (*host_function)(__u32 element, __u32 value);

struct runtime {
	const struct router_code *code;
	struct drops *drops;		/* [element * slots + slot] */
	__u32 slots;
	__u32 threads;
	struct thread *thread;		/* [threads] */
	struct device *device;		/* [code->devices] */
	__u32 initialised;		/* elements whose INIT has run */
	char complaint[256];		/* the last thing that went wrong in an element, in words */
	host_function host;
	int news;			/* eventfd: the run count is used up */

	pthread_mutex_t control;	/* guards what follows */
	int runcount;			/* Click's: the threads run while it is positive */
	atomic_bool stopping;		/* threads end */
	atomic_bool paused;		/* not to run now: the run count is used up */
};

/* All return 0 (or what they say) or -errno. Those that need a thread's lock take it; the host may hold it already. */

/* `memory` has code->states entries and may be given up after the call; `drops` elements * slots entries. */
EXPORT struct runtime *runtime_create(const struct router_code *code, const struct memory *memory, struct drops *drops,
				      __u32 slots, __u32 first_slot, __u32 threads);
EXPORT void runtime_destroy(struct runtime *runtime);
/* Run the elements' INIT; on failure *element is the one that failed. */
EXPORT int runtime_initialise(struct runtime *runtime, __u32 *element);
EXPORT const char *runtime_complaint(struct runtime *runtime);
EXPORT int runtime_start(struct runtime *runtime);
EXPORT void runtime_stop(struct runtime *runtime);

/* Push a packet at the element that reads the device; the work it causes is done by runtime_settle or the threads. */
EXPORT int runtime_inject(struct runtime *runtime, __u32 device, const void *bytes, __u32 length);
EXPORT int runtime_push(struct runtime *runtime, __u32 element, int port, const void *bytes, __u32 length);
EXPORT int runtime_handover(struct runtime *runtime, const void *bytes, __u32 length, int device);
/* Without threads: run tasks, and timers that are due, until nothing is left or `rounds` are over. Returns the rounds left. */
EXPORT long runtime_settle(struct runtime *runtime, long rounds);
EXPORT int runtime_control(struct runtime *runtime, __u32 element, int op, __u64 argument);

/* Act as all threads: between these two the packets stand still. */
EXPORT void runtime_lock(struct runtime *runtime);
EXPORT void runtime_unlock(struct runtime *runtime);

/* Who answers elements' questions, in the thread that asks, and the eventfd that tells that the threads pause because an
 * element asked for the end. Before anything runs.
 */
EXPORT void runtime_set_host(struct runtime *runtime, host_function host, int news);
EXPORT void runtime_add_runs(struct runtime *runtime, int runs);
EXPORT int runtime_runs(struct runtime *runtime);

/* Simulated time: stands still until set again. `next` is the time of the first timer, or ~0. */
EXPORT void runtime_set_clock(struct runtime *runtime, __u64 clock);
EXPORT __u64 runtime_clock(struct runtime *runtime);
EXPORT __u64 runtime_wall_clock(struct runtime *runtime);
EXPORT __u64 runtime_next_timer(struct runtime *runtime);
EXPORT void runtime_seed(struct runtime *runtime, __u64 seed);
/* Packets that exist now: in queues, on their way, collected. */
EXPORT long runtime_packets(struct runtime *runtime);

/* The device's Ethernet address, by which packets for this host are told from others'. */
EXPORT void runtime_set_address(struct runtime *runtime, __u32 device, const __u8 address[6]);

/* Backends. */
EXPORT int runtime_add_memory(struct runtime *runtime, __u32 device, enum device_side side);
/* An AF_XDP socket on one receive queue of `ifname`: its descriptor, for the kernel path's XSKMAP. Packets are sent by the
 * first one of a device.
 */
EXPORT int runtime_add_xsk(struct runtime *runtime, __u32 device, const char *ifname, __u32 queue);
/* A socket whose packets bear `mark`, for the program that turns them round to the Linux stack. */
EXPORT int runtime_add_host(struct runtime *runtime, __u32 device, int ifindex, __u32 mark);
/* The next packet sent there, into `bytes`: its length, or -ENOENT, or -EMSGSIZE (the packet stays). */
EXPORT long runtime_collect(struct runtime *runtime, __u32 device, enum device_side side, void *bytes, __u32 room);

/* Within the library. */
int handover_receive(struct runtime *runtime, const void *bytes, __u32 length, int device, __u64 time);
int device_receive(struct runtime *runtime, __u32 device, const void *frame, __u32 length, __u64 time);
int device_set_output(struct runtime *runtime, __u32 device, enum device_side side, struct device_output *output);
void thread_enter(struct thread *thread);
void thread_leave(struct thread *thread);
/* Let others act as the thread for a while, unless the host stands still with all of them. */
struct held {
	__u32 depth, locks;
};
struct held thread_release(struct thread *thread);
void thread_resume(struct thread *thread, struct held held);
int thread_init(struct thread *thread, struct runtime *runtime, __u32 slot);
void thread_destroy(struct thread *thread);
bool thread_round(struct thread *thread);
void *thread_main(void *thread);
void pkt_release_all(struct thread *thread);
void deferred_run(struct thread *thread);

#endif
