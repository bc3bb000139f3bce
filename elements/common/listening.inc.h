/* Listening to an element that numbers flows (_listening.py); runtime only, and included once for each instance. */
#include "aggregates.h"

LASTING(struct aggregate_listener, listener);

/* Have `is_over` called at the end of each flow, if the element has a NOTIFIER. */
static void SELF(listen)(void (*is_over)(__u32 aggregate))
{
	SELF(listener)->is_over = is_over;
	if (cfg.listens)
		aggregate_listen(cfg.notifier, SELF(listener));
}

static void SELF(unlisten)(void)
{
	if (cfg.listens)
		aggregate_unlisten(cfg.notifier, SELF(listener));
}
