/* File descriptors that a thread polls. */
#pragma once

#include "thread.h"

#define DEVICE_TASKS 64	/* receive queues of one device */

struct poll_source {
	void (*ready)(struct poll_source *source);	/* called as the thread, with its lock held */
};

/* An element's handler for the descriptors that it watches. Belongs to the element's first home thread. */
struct event {
	struct poll_source source;
	struct thread *thread;
	void (*run)(void);
	__u32 element;
};

#define WATCH_READ 1	/* EPOLLIN */
#define WATCH_WRITE 4	/* EPOLLOUT */

/* Watch `fd`, level-triggered: `source` is called as long as it is ready for `events`. Replaces earlier events for `fd`; with
 * events 0, or when `fd` is closed, watching ends. Returns 0 or -errno.
 */
EXPORT int poll_watch(struct thread *thread, int fd, __u32 events, struct poll_source *source);
/* The `ready` of an event's source. */
EXPORT void event_ready(struct poll_source *source);
/* Block until `fd` can be written. Other threads may act as this thread meanwhile. False if the runtime stops first. */
EXPORT bool poll_writable(int fd);
