/* The emitted router's interface to the runtime: tables of its elements, tasks and devices, and its entry points. */
#pragma once

#include "lasting.h"
#include "pkt.h"
#include "poll.h"
#include "switch.h"
#include "task.h"

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
	const int *reader;			/* for each device, the element where its packets enter, or -1 */
	const int *sender;			/* for each device, the first element that sends there, or -1 */
	struct switch_sites sites;		/* the sites of trace calls */
	struct lasting_table lasting;

	void (*bind)(const struct memory *memory);	/* number of state memories, in the order of the emitter's list */
	int (*init)(__u32 element);			/* 0 or -errno */
	void (*cleanup)(__u32 element);
	int (*control)(__u32 element, int op, __u64 argument);
	bool (*push)(__u32 element, int port, struct pkt *p);	/* false (and p untouched) if there is no such input */
	bool (*look)(__u32 element, int port, struct pkt *p);	/* for copies: false as well if the element isn't one that only looks; p goes no further */
	bool (*receive)(int device, struct pkt *p);	/* same, if no element reads the device */
};
