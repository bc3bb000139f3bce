/* File descriptors that a thread waits for. */
#ifndef CLICKBPF_POLL_H
#define CLICKBPF_POLL_H

#include "thread.h"

#define DEVICE_TASKS 64	/* receive queues of one device */

struct poll_source {
	void (*ready)(struct poll_source *source);	/* as the thread, with its lock held */
};

/* What an element does about the descriptors that it watches. Belongs to the thread that is its home in the beginning. */
struct event {
	struct poll_source source;
	struct thread *thread;
	void (*run)(void);
	__u32 element;
};

#define WATCH_READ 1	/* EPOLLIN */
#define WATCH_WRITE 4	/* EPOLLOUT */

/* Wait until `fd` can be read or written: `source` is called as long as it can. Takes the place of what was said of `fd`
 * before; 0 is an end of waiting, as closing it is. Returns 0 or -errno.
 */
EXPORT int poll_watch(struct thread *thread, int fd, __u32 events, struct poll_source *source);
/* The `ready` of an event's source. */
EXPORT void event_ready(struct poll_source *source);
/* Stop here until `fd` can be written. Others may act as this thread meanwhile. False if the runtime stops first. */
EXPORT bool poll_writable(int fd);

#endif
