/* The emitted router's interface to the runtime: tables of its elements, tasks and devices, and its entry points. */
#ifndef CLICKBPF_ROUTER_H
#define CLICKBPF_ROUTER_H

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

/* The parts of an element that its replacement code, for other arguments, keeps using: ports, tasks and lock. */
struct element_sides {
	void (*emit)(struct pkt *p, int port);
	struct pkt *(*pull_input)(int port);
	void (*wake_pullers)(void);
	void (*wake_pushers)(void);
	bool (*downstream_full)(void);
	__u32 (*watched_length)(void);
	__u32 (*watched_room)(void);
	void (*lock)(void);
	void (*unlock)(void);
	struct task *task;
	struct timer *timer;
	struct event *event;
	bool *full;
};

/* Replacement code of one element, for other arguments; entries that its class doesn't have are NULL. */
struct element_code {
	void (*bind)(const struct memory *memory, const struct element_sides *sides);
	int (*action)(struct pkt *p, int input);
	struct pkt *(*pull_action)(int output);
	bool (*task)(void);
	void (*timer)(void);
	void (*event)(void);
	int (*control)(int op, __u64 argument);
	struct lasting_table lasting;
};

/* An element whose code can be replaced while the router runs: `other` is NULL until then. */
struct replaceable {
	__u32 element;
	const struct element_code **other;
	const struct element_sides *sides;
};

struct router_code {
	__u32 elements, devices, states, tasks, timers, events;
	struct task *const *task;
	struct timer *const *timer;
	struct event *const *event;
	const int *reader;			/* of each device: the element that its packets enter at, or -1 */
	const struct replaceable *replaceable;	/* ends in an entry without sides */
	struct switch_sites sites;		/* the sites of trace calls */
	struct lasting_table lasting;

	void (*bind)(const struct memory *memory);	/* number of state memories, in the order of the emitter's list */
	int (*init)(__u32 element);			/* 0 or -errno */
	void (*cleanup)(__u32 element);
	int (*control)(__u32 element, int op, __u64 argument);
	bool (*push)(__u32 element, int port, struct pkt *p);	/* false (and p untouched) if there is no such input */
	bool (*look)(__u32 element, int port, struct pkt *p);	/* same, if the element doesn't only look at packets; p goes no further */
	bool (*receive)(int device, struct pkt *p);	/* same, if no element reads the device */
};

#endif
