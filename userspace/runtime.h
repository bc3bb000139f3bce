/* A running router: memory, threads, devices, and the calls by which the host drives it. */
#ifndef CLICKBPF_RUNTIME_H
#define CLICKBPF_RUNTIME_H

#include "device.h"
#include "drops.h"
#include "lock.h"
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

/* Batches of free packets that no thread has at hand. */
struct pkt_store {
	pthread_mutex_t lock;
	struct pkt *first;
	long batches;
};

/* What is to be known of an element's task. */
struct task_state {
	int thread;	/* -1: none, it stands still */
	__u32 tickets;
	__u32 scheduled;
	__u64 busy;	/* CPU cycles used so far, estimated by sampling */
};

/* Annotation bytes. */
struct anno_range {
	__u8 offset, length;
};

/* What the kernel path hands over, which depends on where elements run: the router's code doesn't. */
struct handovers {
	__u32 hash;			/* of the configuration: both executors must run the same one */
	__u32 ranges, length;		/* ... of annotations that a record carries, in this order; bytes of all */
	struct anno_range range[CARRIED_SIZE];
};

/* Another time than the machine's (clock.c). Changed with all locks. */
enum clock_kind { CLOCK_SIMULATED, CLOCK_WARPED, CLOCK_IMPATIENT };

struct clock {
	enum clock_kind kind;
	_Atomic __u64 simulated;
	/* Of the other kinds, for CLOCK_MONOTONIC and CLOCK_REALTIME: since the machine's clock showed `since`, and this one `at`,
	 * this one has run `speed` times as fast.
	 */
	__u64 since[2], at[2];
	double speed;
};

struct look;
struct looks;
struct trace;

struct runtime {
	const struct router_code *code;
	struct handovers handovers;
	struct handed *handed;		/* [device * handed_queues + queue], the kernel path's; or NULL */
	__u32 handed_queues;
	atomic_int away;		/* threads that left an element's code for the host, or to wait, and come back */
	struct drops *drops;		/* [element * slots + slot] */
	__u32 slots;
	__u32 threads;
	struct thread *thread;		/* [threads + 1]: the last never runs, for what has no thread */
	__u32 made;			/* ... of these are initialised */
	struct pkt_store store;
	struct clock clock;		/* the threads', if they follow another time than the machine's */
	__u64 hash_key[2];		/* of tables that packets fill; secret */
	struct looks *looks;		/* packets that the kernel path shows to elements; or NULL */
	struct trace *trace;		/* of packets, or NULL */
	struct device *device;		/* [code->devices], followed by the inlet (bpf/exits_tc.h) */
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
/* Which handovers are for this router. Before any comes. */
EXPORT int runtime_set_handovers(struct runtime *runtime, __u32 hash, const struct anno_range *range, __u32 ranges);
/* Where the kernel path counts what it hands over (bpf/handover.h), with so many queues of each device. Before any device. */
EXPORT void runtime_set_handed(struct runtime *runtime, struct handed *handed, __u32 queues);
/* Where the kernel path puts what elements look at: a BPF ring buffer of so many bytes, whose descriptor stays the caller's. Once,
 * before anything runs.
 */
EXPORT int runtime_add_looks(struct runtime *runtime, int fd, __u32 size);
/* Let the elements look at all that is there. */
EXPORT void runtime_look(struct runtime *runtime);
/* Run the elements' INIT; on failure *element is the one that failed. */
EXPORT int runtime_initialise(struct runtime *runtime, __u32 *element);
EXPORT const char *runtime_complaint(struct runtime *runtime);
EXPORT int runtime_start(struct runtime *runtime);
/* Keep running threads to one CPU each, from `cpu` on; those that there is none for run where they like. -EINVAL if the first
 * has none.
 */
EXPORT int runtime_pin(struct runtime *runtime, __u32 cpu);
EXPORT void runtime_stop(struct runtime *runtime);

/* Push a packet at the element that reads the device, as thread 0; the work it causes is done by runtime_settle or the threads. */
EXPORT int runtime_inject(struct runtime *runtime, __u32 device, const void *bytes, __u32 length);
EXPORT int runtime_push(struct runtime *runtime, __u32 element, int port, const void *bytes, __u32 length);
EXPORT int runtime_handover(struct runtime *runtime, const void *bytes, __u32 length, int device);
/* Without threads: run tasks, and timers that are due, thread by thread, until nothing is left or `rounds` are over. Returns
 * the rounds left.
 */
EXPORT long runtime_settle(struct runtime *runtime, long rounds);
EXPORT int runtime_control(struct runtime *runtime, __u32 element, int op, __u64 argument);

/* An element's task and timers go to a thread, or stand still (-1). -EINVAL if there is no such thread. */
EXPORT int runtime_move(struct runtime *runtime, __u32 element, int thread);
/* An element's task: -ENOENT if it has none. */
EXPORT int runtime_task(struct runtime *runtime, __u32 element, struct task_state *state);
EXPORT int runtime_set_tickets(struct runtime *runtime, __u32 element, __u32 tickets);

/* Act as all threads: between these two the packets stand still. */
EXPORT void runtime_lock(struct runtime *runtime);
EXPORT void runtime_unlock(struct runtime *runtime);

/* What answers elements' questions, in the thread that asks, and the eventfd that reports that the threads pause because an
 * element asked for the end. Before anything runs.
 */
EXPORT void runtime_set_host(struct runtime *runtime, host_function host, int news);
EXPORT void runtime_add_runs(struct runtime *runtime, int runs);
EXPORT int runtime_runs(struct runtime *runtime);

/* Simulated time: stands still until set again, or until all threads are idle. `next` is the time of the first timer, or ~0. A
 * router whose time is simulated from before its initialisation on has a hash key that everybody knows.
 */
EXPORT void runtime_set_clock(struct runtime *runtime, __u64 clock);
/* From now on time runs `speed` times as fast; if `impatient`, as fast as before, but it jumps to the first timer when no thread
 * has anything else to do. Not when it is simulated.
 */
EXPORT void runtime_warp(struct runtime *runtime, double speed, int impatient);
/* The time that another runtime, whose place this one takes, follows. Before anything runs. */
EXPORT void runtime_take_clock(struct runtime *runtime, struct runtime *old);
EXPORT __u64 runtime_clock(struct runtime *runtime);
EXPORT __u64 runtime_wall_clock(struct runtime *runtime);
EXPORT __u64 runtime_next_timer(struct runtime *runtime);
EXPORT void runtime_seed(struct runtime *runtime, __u64 seed);
/* Packets that exist now: in queues, on their way, collected. */
EXPORT long runtime_packets(struct runtime *runtime);

/* The device's Ethernet address, by which packets for this host are recognised. */
EXPORT void runtime_set_address(struct runtime *runtime, __u32 device, const __u8 address[6]);

/* Backends. */
/* Packets that the devices' sockets had no room for since the last time become drops of the elements that read the devices. */
EXPORT void runtime_account(struct runtime *runtime);
/* The router has stopped, and the kernel path knows: what the devices' sockets hold is dropped and counted. */
EXPORT void runtime_refuse(struct runtime *runtime);
EXPORT int runtime_add_memory(struct runtime *runtime, __u32 device, enum device_side side);
/* An AF_XDP socket on one receive queue of `ifname`: its descriptor, for the kernel path's XSKMAP. `thread` attends to it, or,
 * if -1, one for each in turn. The device number code->devices is the inlet, by which packets of all devices are handed over.
 */
EXPORT int runtime_add_xsk(struct runtime *runtime, __u32 device, const char *ifname, __u32 queue, int thread);
/* A socket whose packets bear `mark`, for the programs that turn them round to the Linux stack, or to packet sockets. */
EXPORT int runtime_add_host(struct runtime *runtime, __u32 device, enum device_side side, int ifindex, __u32 mark);
/* The next packet sent there, into `bytes`: its length, or -ENOENT, or -EMSGSIZE (the packet stays). */
EXPORT long runtime_collect(struct runtime *runtime, __u32 device, enum device_side side, void *bytes, __u32 room);

/* Another router takes this one's place; see adopt.c. Both are locked. */
EXPORT void runtime_drain(struct runtime *runtime);
EXPORT int runtime_adopt_device(struct runtime *to, __u32 device, struct runtime *from, __u32 before);
EXPORT void runtime_adopt_packets(struct runtime *to, struct runtime *from, long packets);

/* An element follows other code from now on, which works on the same state (`memory` has the element's, in the emitter's order).
 * The host holds all threads. -EINVAL if there is no such element. True from runtime_is_still says that no thread is in the
 * midst of an element's code, so that what was replaced can go.
 */
EXPORT int runtime_replace(struct runtime *runtime, __u32 element, const struct element_code *code, const struct memory *memory);
EXPORT bool runtime_is_still(struct runtime *runtime);

/* Within the library. */
int handover_receive(struct runtime *runtime, const void *bytes, __u32 length, int device, __u64 time);
void handover_look(struct runtime *runtime, const struct look *look, __u32 length);
void looks_drain(struct looks *looks);
void looks_drain_own(struct looks *looks);
void looks_destroy(struct looks *looks);
bool handover_is_for(const struct runtime *runtime, const void *bytes, __u32 length);
void device_account(struct runtime *runtime, __u32 device, enum drop_reason reason, __u64 packets);
int device_receive(struct runtime *runtime, __u32 device, const void *frame, __u32 length, __u64 time);
int device_set_output(struct runtime *runtime, __u32 device, enum device_side side, struct device_output *output);
void thread_enter(struct thread *thread);
void thread_leave(struct thread *thread);
void thread_wake(struct thread *thread);
bool thread_is_busy(const struct thread *thread);
int thread_init(struct thread *thread, struct runtime *runtime, __u32 slot);
void thread_destroy(struct thread *thread);
bool thread_round(struct thread *thread);
void *thread_main(void *thread);
void posts_deliver(struct thread *thread);
void deferred_run(struct thread *thread);
void deferred_free(struct thread *thread);
/* What f(argument) says, called while others may act as the current thread and hold the locks that it holds; but if the host
 * stands still with all threads, these stay so.
 */
long without_locks(long (*f)(void *argument), void *argument);
/* Whether a clock jumps to the first timer when no thread has anything to do. */
static inline bool clock_jumps(const struct clock *clock)
{
	return clock && clock->kind != CLOCK_WARPED;
}

/* How long the machine takes for so many nanoseconds of a clock; -1 for ever. */
static inline long long clock_delay(const struct clock *clock, __u64 nanoseconds)
{
	if (clock && clock->kind == CLOCK_SIMULATED)
		return -1;
	return clock ? (long long)((double)nanoseconds / clock->speed) + 1 : (long long)nanoseconds;
}

void clock_advance(struct runtime *runtime);
void place_all(struct runtime *runtime);
void task_init(struct task *task, struct thread *thread);
void task_set_tickets(struct task *task, __u32 tickets);
bool task_move(struct task *task, struct thread *to);
void timer_move(struct timer *timer, struct thread *to);
void task_go_home(struct runtime *runtime, struct task *task);
void timer_init(struct timer *timer, struct thread *thread);
void pkt_release_all(struct thread *thread);
void pkt_release_store(struct runtime *runtime);
long pkt_count_spare(const struct runtime *runtime);

#endif
