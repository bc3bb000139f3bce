/* A FIFO of packets in a ring that grows as needed: the state `queue` (queues/queue.py). Included once for each instance. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_ROOM 64	/* at first; always a power of two */

static inline struct pkt **SELF(place)(const struct SELF(queue) *q, __u32 index)
{
	return (struct pkt **)q->slots + ((q->first + index) & (q->room - 1));
}

/* Make room for another packet; false when out of memory. */
static bool SELF(grow)(struct SELF(queue) *q)
{
	__u32 room = q->room ? 2 * q->room : RING_ROOM;
	struct pkt **slots = malloc(room * sizeof(*slots));

	if (!slots)
		return false;
	for (__u32 i = 0; i < q->length; i++)
		slots[i] = *SELF(place)(q, i);
	free(q->slots);
	q->slots = slots;
	q->first = 0;
	q->room = room;
	return true;
}

/* Other threads may read the length at any time. */
static inline void SELF(set_length)(struct SELF(queue) *q, __u32 length)
{
	__atomic_store_n(&q->length, length, __ATOMIC_RELAXED);
}

static inline void SELF(entered)(struct SELF(queue) *q)
{
	SELF(set_length)(q, q->length + 1);
	if (q->length > q->highwater)
		q->highwater = q->length;
	if (q->length >= q->capacity)
		set_full(true);
	if (q->length == 1)
		wake_pullers();
}

/* Add a packet after all others; false when out of memory. */
static inline bool SELF(append)(struct SELF(queue) *q, struct pkt *p)
{
	if (unlikely(q->length == q->room) && !SELF(grow)(q))
		return false;
	*SELF(place)(q, q->length) = p;
	SELF(entered)(q);
	return true;
}

/* Add a packet before all others. */
static inline bool SELF(prepend)(struct SELF(queue) *q, struct pkt *p)
{
	if (unlikely(q->length == q->room) && !SELF(grow)(q))
		return false;
	q->first--;
	*SELF(place)(q, 0) = p;
	SELF(entered)(q);
	return true;
}

static inline void SELF(left)(struct SELF(queue) *q)
{
	const bool was_full = q->length == q->capacity;

	SELF(set_length)(q, q->length - 1);
	if (was_full) {
		set_full(false);
		wake_pushers();
	}
}

/* Take the first packet, or NULL. */
static inline struct pkt *SELF(take)(struct SELF(queue) *q)
{
	struct pkt *p;

	if (!q->length)
		return NULL;
	p = *SELF(place)(q, 0);
	q->first++;
	SELF(left)(q);
	return p;
}

/* Take the last packet; the queue must not be empty. */
static inline struct pkt *SELF(take_last)(struct SELF(queue) *q)
{
	struct pkt *p = *SELF(place)(q, q->length - 1);

	SELF(left)(q);
	return p;
}

/* Drop a packet for lack of room; the first drop is reported on standard error. */
static void SELF(overflow)(struct SELF(queue) *q, struct pkt *p)
{
	if (!q->drops++ && q->capacity)
		fprintf(stderr, "%s: overflow\n", SELF(title));
	if (output_is_connected(1))
		emit(p, 1);
	else
		discard(p, FULL);
}

/* Change the capacity. Excess packets, from the front or the back, are dropped silently, as in Click. */
static void SELF(resize)(struct SELF(queue) *q, __u32 capacity, bool from_front)
{
	bool was_full = q->length >= q->capacity;

	while (q->length > capacity)
		pkt_free(from_front ? SELF(take)(q) : SELF(take_last)(q));
	q->capacity = capacity;
	set_full(q->length >= capacity);
	if (was_full && q->length < capacity)
		wake_pushers();
}

static void SELF(empty)(struct SELF(queue) *q)
{
	struct pkt *p;

	while ((p = SELF(take)(q))) {
		if (output_is_connected(1))
			emit(p, 1);
		else
			pkt_free(p);
	}
}

/* CONTROL, with the operations of Queue. */
static int SELF(command)(int op, __u64 argument, bool from_front)
{
	struct SELF(queue) *q = private(queue);

	if (op == SELF(RESET)) {
		SELF(empty)(q);
		return 0;
	}
	SELF(resize)(q, argument, from_front);
	if (op == SELF(TAKEN) && q->length)
		wake_pullers();
	return 0;
}

/* After a pull in vain, the pulling task is woken a few times more, as if a packet had come. */
PULL()
{
	struct SELF(queue) *q = private(queue);
	struct pkt *p = SELF(take)(q);

	if (p) {
		q->in_vain = 0;
	} else if (q->in_vain < SELF(sleepiness)) {
		q->in_vain++;
		wake_pullers();
	}
	return p;
}

CLEANUP()
{
	struct SELF(queue) *q = private(queue);
	struct pkt *p;

	while ((p = SELF(take)(q)))
		pkt_free(p);
	free(q->slots);
	q->slots = NULL;
	q->room = 0;
}
