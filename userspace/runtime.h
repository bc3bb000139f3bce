/* A running router: memory, threads, devices, and the calls of the host, the process in Python that drives it. */
#pragma once

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
	bool l3;			/* packets begin with their IP header */
};

/* An element's question to its Python side, and the answer; `value` is the class's own. */
typedef long (*host_function)(__u32 element, __u32 value);

/* Batches of free packets that belong to no thread. */
struct pkt_store {
	pthread_mutex_t lock;
	struct pkt *first;
	long batches;
};

/* Statistics of an element's task. */
struct task_state {
	int thread;	/* -1: none; the task doesn't run */
	__u32 tickets;
	__u32 scheduled;
	__u64 busy;	/* CPU cycles used so far, estimated by sampling */
};

/* Annotation bytes. */
struct anno_range {
	__u8 offset, length;
};

/* Properties of the kernel path's handovers. Apart from the router's code, since they depend on where elements run. */
struct handovers {
	__u32 hash;			/* of the configuration: must be equal on both sides */
	__u32 ranges, length;		/* the number of annotation ranges in a record, and their total length */
	struct anno_range range[CARRIED_SIZE];
};

/* A clock other than the machine's (clock.c). Changed with all locks held. */
enum clock_kind { CLOCK_SIMULATED, CLOCK_WARPED, CLOCK_IMPATIENT };

struct clock {
	enum clock_kind kind;
	_Atomic __u64 simulated;
	/* For the other kinds, CLOCK_MONOTONIC at [0], CLOCK_REALTIME at [1]: when the machine's clock showed `since`, this clock
	 * showed `at`, and it has run `speed` times as fast since then.
	 */
	__u64 since[2], at[2];
	double speed;
};

struct look;
struct looks;
struct sender;
struct sending;

/* Packets sent in batches as XDP frames; packets of batches sent by the sockets, since their device had a pause or packets waited
 * there; and the number of pauses, each after a device has refused frames.
 */
struct sending_counts {
	__u64 frames, sockets, pauses;
};

struct trace;

struct runtime {
	const struct router_code *code;	/* whose functions run */
	const struct router_code *places;	/* the first object loaded: owner of tasks, timers, events, variables */
	struct handovers handovers;
	struct handed *handed;		/* [device * handed_queues + queue], the kernel path's; or NULL */
	__u32 handed_queues;
	atomic_int away;		/* threads inside an element's code that have released their locks, to call the host or to wait */
	struct drops *drops;		/* [element * slots + slot] */
	__u32 slots;
	__u32 threads;
	struct thread *thread;		/* [threads + 1]: the last never runs; it holds tasks without a thread */
	__u32 made;			/* how many of these are initialised */
	struct pkt_store store;
	struct clock clock;		/* the threads' clock, if it isn't the machine's */
	__u64 hash_key[2];		/* the key of tables that packets fill; secret */
	struct looks *looks;		/* copies of packets from the kernel path for elements that look; or NULL */
	struct sender *sender;		/* for sending in batches (sending.c), or NULL */
	struct trace *trace;		/* the trace of packets, or NULL */
	__u64 *counted;			/* packets, [slot * outputs + output]; or NULL */
	__u32 outputs;
	struct device *device;		/* [code->devices], followed by the inlet (bpf/exits_tc.h) */
	__u32 initialised;		/* elements whose INIT has run */
	char complaint[256];		/* the last error message of an element */
	host_function host;
	int news;			/* eventfd, written when the run count is used up */

	pthread_mutex_t control;	/* guards the fields below */
	int runcount;			/* Click's run count: the threads run while it is positive */
	atomic_bool stopping;		/* threads are to end */
	atomic_bool paused;		/* threads pause: the run count is used up */
};

/* Functions return 0 or -errno unless described otherwise. They take the threads' locks that they need; the host may hold them
 * already.
 */

/* `memory` has code->states entries and isn't used after the call; `drops` has elements * slots entries. */
EXPORT struct runtime *runtime_create(const struct router_code *code, const struct memory *memory, struct drops *drops,
				      __u32 slots, __u32 first_slot, __u32 threads);
EXPORT void runtime_destroy(struct runtime *runtime);
/* Define which handovers are for this router. Call before any arrives. */
EXPORT int runtime_set_handovers(struct runtime *runtime, __u32 hash, const struct anno_range *range, __u32 ranges);
/* The kernel path's counts of handovers (bpf/handover.h), with this many queues for each device. Call before devices are added. */
EXPORT void runtime_set_handed(struct runtime *runtime, struct handed *handed, __u32 queues);
/* The kernel path's ring buffer for elements that only look at packets, with its size in bytes; the descriptor stays the caller's.
 * Call once, before anything runs.
 */
EXPORT int runtime_add_looks(struct runtime *runtime, int fd, __u32 size);
/* Process the copies in that ring buffer. */
EXPORT void runtime_look(struct runtime *runtime);
/* Run the elements' INIT, each after `pause` nanoseconds of simulated time; on failure *element is the element that failed. */
EXPORT int runtime_initialise(struct runtime *runtime, __u32 *element, __u64 pause);
EXPORT const char *runtime_complaint(struct runtime *runtime);
EXPORT int runtime_start(struct runtime *runtime);
/* Pin running threads to one CPU each, from `cpu` on; excess threads stay unpinned. -EINVAL if `cpu` doesn't exist. */
EXPORT int runtime_pin(struct runtime *runtime, __u32 cpu);
EXPORT void runtime_stop(struct runtime *runtime);

/* Push a packet to the element that reads the device, as thread 0. Tasks and timers that follow are run by runtime_settle() or the
 * threads.
 */
EXPORT int runtime_inject(struct runtime *runtime, __u32 device, const void *bytes, __u32 length);
EXPORT int runtime_push(struct runtime *runtime, __u32 element, int port, const void *bytes, __u32 length);
EXPORT int runtime_handover(struct runtime *runtime, const void *bytes, __u32 length, int device);
/* Without threads: run tasks and due timers, thread by thread, until nothing is left to do or `rounds` are used up. Returns the
 * rounds left.
 */
EXPORT long runtime_settle(struct runtime *runtime, long rounds);
EXPORT int runtime_control(struct runtime *runtime, __u32 element, int op, __u64 argument);

/* Move an element's task and timers to a thread, or stop them (-1). -EINVAL if there is no such thread. */
EXPORT int runtime_move(struct runtime *runtime, __u32 element, int thread);
/* Statistics of an element's task; -ENOENT if it has none. */
EXPORT int runtime_task(struct runtime *runtime, __u32 element, struct task_state *state);
EXPORT int runtime_set_tickets(struct runtime *runtime, __u32 element, __u32 tickets);

/* Hold all threads, and act as them: between these two calls no packet moves. */
EXPORT void runtime_lock(struct runtime *runtime);
EXPORT void runtime_unlock(struct runtime *runtime);

/* The function that answers elements' questions, called in the thread that asks; and the eventfd to write when an element has ended
 * the run and the threads pause. Call before anything runs.
 */
EXPORT void runtime_set_host(struct runtime *runtime, host_function host, int news);
EXPORT void runtime_add_runs(struct runtime *runtime, int runs);
EXPORT int runtime_runs(struct runtime *runtime);

/* Simulate time: it stands still until set again, or until all threads are idle. Set before runtime_initialise(), it also gives the
 * router a fixed, public hash key.
 */
EXPORT void runtime_set_clock(struct runtime *runtime, __u64 clock);
/* From now on time runs `speed` times as fast as the machine's; with `impatient`, as fast as before, but when no thread has
 * anything else to do it jumps to the first timer. Not for simulated time.
 */
EXPORT void runtime_warp(struct runtime *runtime, double speed, int impatient);
/* Adopt the clock of the runtime that this one replaces. Call before anything runs. */
EXPORT void runtime_take_clock(struct runtime *runtime, struct runtime *old);
EXPORT __u64 runtime_clock(struct runtime *runtime);
EXPORT __u64 runtime_wall_clock(struct runtime *runtime);
EXPORT __u64 runtime_next_timer(struct runtime *runtime);
EXPORT void runtime_seed(struct runtime *runtime, __u64 seed);
/* The number of packets that exist now: in elements, under way, or sent to memory devices. */
EXPORT long runtime_packets(struct runtime *runtime);

/* The device's Ethernet address, to recognise packets for this host. */
EXPORT void runtime_set_address(struct runtime *runtime, __u32 device, const __u8 address[6]);
/* Packets of the device begin with their IP header. Call before its backends are added. */
EXPORT void runtime_set_l3(struct runtime *runtime, __u32 device);

/* Backends. */
/* Count packets that the sockets have dropped for lack of room since the last call, as drops of the elements that read the devices. */
EXPORT void runtime_account(struct runtime *runtime);
/* Drop and count the packets in the devices' sockets, after the router has stopped and the kernel path no longer hands over. */
EXPORT void runtime_refuse(struct runtime *runtime);
/* Let the kernel path hand over again to sockets whose budget is used up by packets that were lost on the way. Call now and then;
 * returns the number of such sockets.
 */
EXPORT __u32 runtime_unstick(struct runtime *runtime);
EXPORT int runtime_add_memory(struct runtime *runtime, __u32 device, enum device_side side);
/* Open an AF_XDP socket on a receive queue of `ifname`; returns its descriptor, for the kernel path's XSKMAP. `thread` serves it;
 * with -1, queues are assigned to the threads in turn. Device number code->devices is the inlet, which brings packets of all
 * devices. With `in_parts` packets may span several frames; Linux before 6.6 returns -EINVAL for it.
 */
EXPORT int runtime_add_xsk(struct runtime *runtime, __u32 device, const char *ifname, __u32 queue, int thread, int in_parts);
/* What is needed for sending in batches (bpf/sending.bpf.c): a tap device, the link of its program, and the map of volleys; the
 * program that turns frames into packets, and its map, with a batch for each thread; the link of the program that counts refused
 * frames.
 */
enum sending_file { SENDING_TAP, SENDING_ENTRANCE, SENDING_VOLLEYS, SENDING_FILLING, SENDING_BATCHES, SENDING_REFUSALS, SENDING_FILES };

/* Prepare for sending in batches. The descriptors, by enum sending_file, stay the caller's. runtime_set_ring() then chooses for each
 * device: its ifindex in this thread's network namespace, or 0 to send by its AF_XDP sockets alone.
 */
EXPORT int runtime_set_sending(struct runtime *runtime, const int file[SENDING_FILES]);
EXPORT bool runtime_has_sending(struct runtime *runtime);
EXPORT void runtime_end_sending(struct runtime *runtime);
EXPORT int runtime_set_ring(struct runtime *runtime, __u32 device, __u32 ifindex);
EXPORT bool runtime_has_ring(struct runtime *runtime, __u32 device);
EXPORT void runtime_sending_counts(struct runtime *runtime, struct sending_counts *counts);
/* Open a packet socket. Its packets have `mark`, by which the programs at the device's egress send them back in, for Linux's stack
 * or packet sockets; 0 to send on the wire.
 */
EXPORT int runtime_add_host(struct runtime *runtime, __u32 device, enum device_side side, int ifindex, __u32 mark);
/* How many packets were sent to memory devices and not taken yet. */
EXPORT long runtime_uncollected(struct runtime *runtime);
/* Take the next packet sent to a memory device into `bytes`; returns its length, -ENOENT, or -EMSGSIZE (the packet stays). */
EXPORT long runtime_collect(struct runtime *runtime, __u32 device, enum device_side side, void *bytes, __u32 room);

/* Hot swap: a router takes another's place (adopt.c). Both are locked. */
EXPORT void runtime_drain(struct runtime *runtime);
EXPORT int runtime_adopt_device(struct runtime *to, __u32 device, struct runtime *from, __u32 before);
/* Unless `to` has more threads, or sends in batches already. Call before its devices are adopted. */
EXPORT void runtime_adopt_sending(struct runtime *to, struct runtime *from);
EXPORT void runtime_adopt_packets(struct runtime *to, struct runtime *from, long packets);

/* Replace the router's code by that of another object, better optimised or with other arguments of elements; variables keep their
 * values. The host holds all threads. The first object stays loaded. -EBUSY while packets are traced; -EINVAL if the object's
 * variables differ.
 */
EXPORT int runtime_exchange(struct runtime *runtime, const struct router_code *code, const struct memory *memory);
/* Whether no thread is inside an element's code: if so, objects between the first and the current one can be unloaded. */
EXPORT bool runtime_is_still(struct runtime *runtime);

/* Within the library. */
int handover_receive(struct runtime *runtime, const void *bytes, __u32 length, int device, __u64 time);
void handover_look(struct runtime *runtime, const struct look *look, __u32 length);
/* As the thread: send the packets in its batch. */
void sending_flush(struct sending *sending);
/* Send what is in the batches, and free them. The threads stand still or have ended. */
void sending_end(struct runtime *runtime);
void looks_drain(struct looks *looks);
void looks_drain_own(struct looks *looks);
void looks_destroy(struct looks *looks);
bool handover_is_for(const struct runtime *runtime, const void *bytes, __u32 length);
/* Count drops: of the element that reads the device; or, for packets that the device has refused, of the element that sends by it. */
void device_account(struct runtime *runtime, __u32 device, enum drop_reason reason, __u64 packets);
void device_refused(struct runtime *runtime, __u32 device, __u64 packets);
int device_receive(struct runtime *runtime, __u32 device, const void *frame, __u32 length, __u64 time);
__be16 packet_protocol(const struct pkt *p);
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
/* The value of an expression, with the locks of all threads; and a result, after all that it has deferred. */
#define LOCKED(runtime, expression)                          \
	({                                                   \
		runtime_lock(runtime);                       \
		const __auto_type value_ = (expression);     \
		runtime_unlock(runtime);                     \
		value_;                                      \
	})
int after_deferred(int result);
/* Call f(argument) with all locks of the current thread released, so that others may act as it; threads that the host holds stay
 * held.
 */
long without_locks(long (*f)(void *argument), void *argument);
/* Whether a clock jumps to the first timer when no thread has anything to do. */
static inline bool clock_jumps(const struct clock *clock)
{
	return clock && clock->kind != CLOCK_WARPED;
}

/* How long the machine takes for this many nanoseconds of a clock; -1 for ever. */
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
