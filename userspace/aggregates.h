/* Elements that number flows notify other elements, their listeners, when a flow begins and ends. */
#pragma once

#include "base.h"

/* A listener; the functions may be NULL. Belongs to the listening element. */
struct aggregate_listener {
	struct aggregate_listener *next;
	void (*begins)(__u32 aggregate);
	void (*is_over)(__u32 aggregate);
};

/* The listeners of element number `element` of the running router. The pointer stays valid. */
EXPORT struct aggregate_listener **aggregate_listeners(__u32 element);
EXPORT void aggregate_listen(__u32 element, struct aggregate_listener *listener);
EXPORT void aggregate_unlisten(__u32 element, struct aggregate_listener *listener);

static inline void aggregate_begins(struct aggregate_listener **listeners, __u32 aggregate)
{
	for (struct aggregate_listener *listener = *listeners; listener; listener = listener->next)
		if (listener->begins)
			listener->begins(aggregate);
}

static inline void aggregate_is_over(struct aggregate_listener **listeners, __u32 aggregate)
{
	for (struct aggregate_listener *listener = *listeners; listener; listener = listener->next)
		if (listener->is_over)
			listener->is_over(aggregate);
}
