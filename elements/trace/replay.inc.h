/* Send packets repeatedly (see _replay.py). Included once for each instance. */
#include <stdio.h>
#include "ip/ip.h"
#include "common/clock.h"

/* The input with the oldest packet, the first of equals; -1 if any input is empty. */
static int SELF(oldest)(struct pkt **waiting)
{
	int found = 0;

	for (int i = 0; i < SELF(ninputs); i++) {
		if (!waiting[i])
			waiting[i] = pull(i);
		if (!waiting[i])
			return -1;
		if (waiting[i]->timestamp < waiting[found]->timestamp)
			found = i;
	}
	return found;
}

/* Start again with the first packet. */
static void SELF(rewind)(struct SELF(replay) *r)
{
	const struct pkt *first = r->first;

	r->next = r->first;
	r->sent_from = now();
	r->packets_from = first ? first->timestamp : 0;
	if (!r->began)
		r->began = r->sent_from;
}

static void SELF(load)(struct SELF(replay) *r)
{
	struct pkt *waiting[SELF(ninputs)], *last = NULL;
	__u32 loaded = 0;
	int input = -1;

	memset(waiting, 0, sizeof(waiting));
	while (loaded < cfg.most && (input = SELF(oldest)(waiting)) >= 0) {
		struct pkt *p = waiting[input];

		waiting[input] = NULL;
		pkt_set_anno_u8(p, PAINT_ANNO, input);
		p->next = NULL;
		if (last)
			last->next = p;
		else
			r->first = p;
		last = p;
		loaded++;
	}
	for (int i = 0; i < SELF(ninputs); i++)
		if (waiting[i])
			discard(waiting[i], DISCARDED);
	r->loaded = loaded > 0;
	SELF(rewind)(r);
}

static void SELF(forget)(struct SELF(replay) *r)
{
	for (struct pkt *p = r->first, *next; p; p = next) {
		next = p->next;
		pkt_free(p);
	}
	r->first = r->next = NULL;
	r->loaded = false;
}

static bool SELF(time_is_over)(const struct SELF(replay) *r)
{
	return cfg.stop_time && r->began && now() - r->began >= cfg.stop_time * NS_PER_SECOND;
}

static void SELF(end)(struct SELF(replay) *r)
{
	r->active = false;
	r->began = 0;
	driver_stop();
}

/* Whether there is something to send: all packets are loaded, and the end isn't reached. */
static bool SELF(ready)(struct SELF(replay) *r)
{
	if (!r->active)
		return false;
	if (!r->loaded)
		SELF(load)(r);
	if (!r->stop || SELF(time_is_over)(r) || (!r->loaded && r->stop > 0)) {
		SELF(end)(r);
		return false;
	}
	return r->loaded;
}

/* A copy of the next packet, or NULL when out of memory. The first packet follows the last one. */
static struct pkt *SELF(copy)(struct SELF(replay) *r)
{
	const struct pkt *p = r->next;
	struct pkt *copy = pkt_clone((struct pkt *)p);

	r->next = p->next;
	if (r->next)
		return copy;
	SELF(rewind)(r);
	if (r->stop > 0)
		r->stop--;
	if (cfg.verbose)
		warn(ALWAYS, "%s: all sent (%lld times left)", SELF(name), (long long)r->stop);
	if (!r->stop)
		SELF(end)(r);
	return copy;
}

CLEANUP()
{
	SELF(forget)(private(replay));
}
