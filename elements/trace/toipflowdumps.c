#include <stdio.h>
#include "common/listening.inc.h"
#include "summary/flows.h"

#define PATIENCE 250000000	/* ns from the end of a flow until its last packets have left the queues upstream */

static void SELF(write)(struct pkt *p)
{
	struct SELF(dumps) *d = private(dumps);

	if (flow_dumps_add(d->dumps, p))
		d->flows++;
	else
		d->others++;
}

#include "trace/recording.inc.h"

ELEMENT(ToIPFlowDumps)
{
	return SELF(record)(p);
}

/* -- flows that are over -------------------------------------------------------------------------------------------- */

static void SELF(is_over)(__u32 aggregate)
{
	struct SELF(dumps) *d = private(dumps);
	struct SELF(ends) *end = at(ends, d->ending % cfg.most_ends);

	if (d->ending - d->ended == cfg.most_ends) {
		flow_dumps_end(d->dumps, end->aggregate);
		d->ended++;
	}
	end->aggregate = aggregate;
	end->time = now() + PATIENCE;
	if (d->ending++ == d->ended)
		timer_after(PATIENCE);
}

TIMER()
{
	struct SELF(dumps) *d = private(dumps);
	__u64 time = now();

	for (; d->ended != d->ending; d->ended++) {
		const struct SELF(ends) *end = at(ends, d->ended % cfg.most_ends);

		if (end->time > time) {
			timer_after(end->time - time);
			return;
		}
		flow_dumps_end(d->dumps, end->aggregate);
	}
}

INIT()
{
	private(dumps)->dumps = flow_dumps_new(&SELF(layout));
	if (!private(dumps)->dumps)
		return -12;
	SELF(listen)(SELF(is_over));
	if (!input_is_push(0) && !output_is_connected(0))
		task_schedule();
	return 0;
}

/* All flows are over. */
CONTROL()
{
	flow_dumps_end_all(private(dumps)->dumps);
	return 0;
}

CLEANUP()
{
	struct SELF(dumps) *d = private(dumps);

	SELF(unlisten)();
	if (d->dumps)
		flow_dumps_free(d->dumps);
	if (d->others && !d->flows)
		fprintf(stderr, "%s :: ToIPFlowDumps: warning: saw no packets with aggregate annotations\n", SELF(name));
}
