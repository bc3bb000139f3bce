#include "common/clock.h"

#define BANDWIDTH_UNIT 100	/* bytes per second */
#define BURST 64		/* packets per run: on a fast link short ones take no time, and other tasks need their turn */

#define LINK_MOST 65536		/* packets on the link: empty packets take no bandwidth, and could pile up for LATENCY */

/* Add a packet to the link. Its transmission begins at `start`; its timestamp becomes the end. */
static void SELF(append)(struct SELF(link) *link, struct pkt *p, __u64 start)
{
	__u64 length = pkt_len(p) + pkt_anno_u32(p, EXTRA_LENGTH_ANNO);
	__u64 microseconds = length * (NS_PER_SECOND / NS_PER_MICROSECOND / BANDWIDTH_UNIT) / link->bandwidth;

	p->timestamp = start + microseconds * NS_PER_MICROSECOND;
	p->next = NULL;
	if (link->size++)
		((struct pkt *)link->tail)->next = p;
	else
		link->head = p;
	link->tail = p;
}

static struct pkt *SELF(remove)(struct SELF(link) *link)
{
	struct pkt *p = link->head;

	if (!link->size)
		return NULL;
	link->head = p->next;
	link->size--;
	p->next = NULL;
	return p;
}

/* Whether the last packet is still being sent, or there are too many on the link. */
static bool SELF(filled)(const struct SELF(link) *link, __u64 time)
{
	return link->size && (link->size >= LINK_MOST || ((struct pkt *)link->tail)->timestamp > time + link->latency);
}

/* Pull packets while the link has room; false if the input has run dry. */
static bool SELF(fill)(struct SELF(link) *link, __u64 time)
{
	for (int pulled = 0; pulled < BURST && !SELF(filled)(link, time); pulled++) {
		struct pkt *p = pull(0);

		if (!p) {
			link->busy = false;
			return false;
		}
		if (link->size && link->busy)
			SELF(append)(link, p, ((struct pkt *)link->tail)->timestamp);
		else
			SELF(append)(link, p, time + link->latency);
		link->busy = true;
	}
	return true;
}

/* Sleep until a packet leaves the link, or there is room for the next one. */
static void SELF(rest)(const struct SELF(link) *link, __u64 time, bool more)
{
	__u64 end = ((struct pkt *)link->head)->timestamp, room = ((struct pkt *)link->tail)->timestamp - link->latency;

	if (more && room < end && link->size < LINK_MOST)
		end = room;
	timer_after(end > time ? end - time : 0);
}

TASK()
{
	struct SELF(link) *link = private(link);
	__u64 time = wall_clock();
	bool more = SELF(fill)(link, time), worked = link->busy;

	while (link->size && ((struct pkt *)link->head)->timestamp <= time) {
		emit(SELF(remove)(link), 0);
		worked = true;
	}
	if (link->size)
		SELF(rest)(link, time, more);
	else if (more)
		task_schedule();
	return worked;
}

CLEANUP()
{
	struct pkt *p;

	while ((p = SELF(remove)(private(link))))
		pkt_free(p);
}

CONTROL()
{
	if (op == SELF(EMPTY)) {
		SELF(cleanup)();
		timer_clear();
	}
	task_schedule();
	return 0;
}
