/* Listening to an element that numbers flows (_listening.py); runtime only, and included once for each instance. */
#include "aggregates.h"

_Static_assert(sizeof(struct aggregate_listener) == sizeof(struct SELF(listener)), "_listening.py");

/* Have `is_over` called at the end of each flow, if the element has a NOTIFIER. */
static void SELF(listen)(void (*is_over)(__u32 aggregate))
{
	private(listener)->is_over = (__u64)is_over;
	if (cfg.listens)
		aggregate_listen(cfg.notifier, (struct aggregate_listener *)private(listener));
}

static void SELF(unlisten)(void)
{
	if (cfg.listens)
		aggregate_unlisten(cfg.notifier, (struct aggregate_listener *)private(listener));
}
