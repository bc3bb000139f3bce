/* File descriptors that a thread waits for. */
#ifndef CLICKBPF_POLL_H
#define CLICKBPF_POLL_H

#include "thread.h"

#define DEVICE_TASKS 64	/* receive queues of one device */

struct poll_source {
	void (*ready)(struct poll_source *source);	/* as the thread, with its lock held */
};

/* Wait for input on `fd`: `source` is called while there is some. Returns 0 or -errno. */
int poll_add(struct thread *thread, int fd, struct poll_source *source);

#endif
