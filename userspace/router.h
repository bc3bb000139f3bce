/* What the emitted router tells the runtime: tables of its elements, tasks and devices, and the ways in. */
#ifndef CLICKBPF_ROUTER_H
#define CLICKBPF_ROUTER_H

#include "pkt.h"
#include "poll.h"
#include "task.h"

#define ROUTER_SYMBOL "router_code"

/* Memory of one state: ordinary memory, or that of a BPF map. */
struct memory {
	void *address;
	__u64 entries;
	__u64 stride;		/* bytes from one value to the next */
};

struct router_code {
	__u32 elements, devices, states, tasks, timers, events;
	struct task *const *task;
	struct timer *const *timer;
	struct event *const *event;
	const int *reader;			/* of each device: the element that its packets enter at, or -1 */

	void (*bind)(const struct memory *memory);	/* state memories, in the order of the emitter's list */
	int (*init)(__u32 element);			/* 0 or -errno */
	void (*cleanup)(__u32 element);
	int (*control)(__u32 element, int op, __u64 argument);
	bool (*push)(__u32 element, int port, struct pkt *p);	/* false (and p untouched) if there is no such input */
	bool (*receive)(int device, struct pkt *p);	/* same, if no element reads the device */
};

#endif
