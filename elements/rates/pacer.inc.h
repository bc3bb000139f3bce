/* Send packets at an even rate. The states are `pacer` and `waiting` (_pacer.py). Included once for each instance.
 *
 * Both executors and all CPUs take departure times from one word: a packet takes its time from the word, and replaces it with the
 * next free time. In the kernel, the device's fq holds the packet until then where possible.
 */
#include "common/clock.h"

#define PACER_TRIES 8	/* attempts to take a departure time in competition with other CPUs */

#if USERSPACE
#include <stdlib.h>

#define PACER_ROOM 64	/* of the ring at first; always a power of two */
#define PACER_BURST 64	/* packets per run, so that other tasks get their turn */

struct SELF(departure) {
	__u64 at;
	struct pkt *p;
};

static struct SELF(departure) *SELF(place)(const struct SELF(waiting) *w, __u32 index)
{
	return (struct SELF(departure) *)w->slots + ((w->first + index) & (w->room - 1));
}

/* Make room for another packet; false when out of memory. */
static bool SELF(grow)(struct SELF(waiting) *w)
{
	__u32 room = w->room ? 2 * w->room : PACER_ROOM;
	struct SELF(departure) *slots = malloc(room * sizeof(*slots));

	if (!slots)
		return false;
	for (__u32 i = 0; i < w->length; i++)
		slots[i] = *SELF(place)(w, i);
	free(w->slots);
	w->slots = slots;
	w->first = 0;
	w->room = room;
	return true;
}

/* Hold a packet until its departure time. */
static int SELF(keep)(struct pkt *p, __u64 at, __u64 time)
{
	struct SELF(waiting) *w = private(waiting);

	if (at <= time && !w->length)
		return OUTPUT(0);
	if (w->length == w->room && !SELF(grow)(w))
		return DROP(NO_MEMORY);
	*SELF(place)(w, w->length++) = (struct SELF(departure)){ at, p };
	if (w->length == 1)
		timer_after(at - time);
	return STOLEN;
}

TASK()
{
	struct SELF(waiting) *w = private(waiting);
	__u64 time = now();
	int sent = 0;

	for (; w->length && sent < PACER_BURST && SELF(place)(w, 0)->at <= time; sent++) {
		struct pkt *p = SELF(place)(w, 0)->p;

		w->first++;
		w->length--;
		emit(p, 0);
	}
	if (!w->length)
		return sent > 0;
	if (sent == PACER_BURST)
		task_schedule();
	else
		timer_after(SELF(place)(w, 0)->at - time);
	return sent > 0;
}

CLEANUP()
{
	struct SELF(waiting) *w = private(waiting);

	for (__u32 i = 0; i < w->length; i++)
		pkt_free(SELF(place)(w, i)->p);
	free(w->slots);
	w->slots = NULL;
	w->length = w->room = 0;
}
#else
/* Whether the kernel can hold the packet for the longest wait. A test of the packet's own wait would reorder flows: packets punted
 * to the runtime would be overtaken by later ones.
 */
static __always_inline bool SELF(may_wait)(struct pkt *p, const struct SELF(pacer) *pacer)
{
	return pkt_can_leave_by(p, self_device()) && pkt_can_leave_later(p, self_device(), cfg.packets, read_once(pacer->longest));
}

static __always_inline int SELF(keep)(struct pkt *p, __u64 at, __u64 time)
{
	if (at != time)
		pkt_leave_at(p, at);
	return OUTPUT(0);
}
#endif

/* Send a packet that counts for `amount` at its departure time. */
static __always_inline int SELF(pace)(struct pkt *p, __u64 amount)
{
	struct SELF(pacer) *pacer = var(pacer);
	const __u64 time = now();

#if !USERSPACE
	if (!SELF(may_wait)(p, pacer))
		return PUNT;
#endif
	for (int i = 0; USERSPACE || i < PACER_TRIES; i++) {
		__u64 before = read_once(pacer->next), at = before > time ? before : time, rate = read_once(pacer->rate);

		if (at - time > read_once(pacer->longest)) {
			count(counters, drops, 1);
			return DROP(FULL);
		}
		if (__sync_bool_compare_and_swap(&pacer->next, before, at + (amount * NS_PER_SECOND + rate - 1) / rate))
			return SELF(keep)(p, at, time);
	}
	return PUNT;
}
