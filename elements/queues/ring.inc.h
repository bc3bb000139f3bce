/* A FIFO of packets in a ring that grows as needed: the state `queue` (queues/queue.py). Included once for each instance.
 *
 * Two threads may use it at once without a lock, one that pushes and one that pulls (TWO_SIDED; Lamport, "Specifying Concurrent Program
 * Modules", 1983). Each side has a counter of its own, `last` and `first`, which it stores with release after it has written or read
 * the slot, and reads the other's with acquire before. Packets shouldn't move the counters' cache lines every time: so each side
 * keeps the other's counter as it was when last seen, and looks again only when that isn't enough; and the one that pulls looks at
 * `shown`, which follows `last` after SHOWN_AFTER packets or at the end of the other thread's round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_ROOM 64	/* at first; always a power of two */
/* Where one thread pushes, and sleeps since the ring is full: the room for which it is worth waking, unless half of the ring is less. */
#define WORTH_WAKING 64

/* A counter's place is counter & mask. Where the ring has grown, the other side may still read from the former one. */
struct SELF(ring) {
	struct SELF(ring) *outgrown;
	__u32 mask;
	struct pkt *slot[];
};

/* Packets that are shown at once to the side that pulls; and how many packets before its turn it fetches one into its cache. */
#define SHOWN_AFTER 32
#define AHEAD 4
/* Several threads that push show each packet: at the end of its round, none of them may be the only one. */
#define SHOWN_LATER (CONCURRENT && SELF(one_pushes))

#define RING_READ(field) __atomic_load_n(&q->field, __ATOMIC_ACQUIRE)
#define RING_WRITE(field, value) __atomic_store_n(&q->field, value, __ATOMIC_RELEASE)

/* Neither side's stores before it, and loads after it, change places. */
static inline void SELF(fence)(void)
{
	if (CONCURRENT)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* How many packets wait, for all threads. */
static inline __u32 SELF(length)(const struct SELF(queue) *q)
{
	const __u32 first = RING_READ(first);

	return RING_READ(last) - first;
}

/* The same for the side that pushes. It may be too large where that makes no difference. */
static inline __u32 SELF(filled)(struct SELF(queue) *q)
{
	__u32 length = q->last - q->seen_first;

	if (CONCURRENT && likely(length < q->capacity && length < q->highwater))
		return length;
	q->seen_first = RING_READ(first);
	return q->last - q->seen_first;
}

/* Make room for another packet; false when out of memory. */
static bool SELF(grow)(struct SELF(queue) *q)
{
	struct SELF(ring) *before = q->slots, *ring;
	const __u32 room = before ? 2 * (before->mask + 1) : RING_ROOM;

	ring = malloc(sizeof(*ring) + room * sizeof(ring->slot[0]));
	if (!ring)
		return false;
	ring->outgrown = before;
	ring->mask = room - 1;
	for (__u32 i = q->seen_first; i != q->last; i++)
		ring->slot[i & ring->mask] = before->slot[i & before->mask];
	RING_WRITE(slots, ring);
	if (!CONCURRENT && before) {
		ring->outgrown = NULL;
		free(before);
	}
	return true;
}

/* Show what has been pushed, and wake tasks that found the ring empty, or full. The flag is reset first: a task that finds it so once
 * more is woken once more.
 */
static void SELF(tell_pullers)(void)
{
	struct SELF(queue) *q = private(queue);

	if (SHOWN_LATER) {
		q->unshown = 0;
		RING_WRITE(shown, q->last);
	}
	SELF(fence)();	/* with rest(): this side sees the flag, or the other one the packets */
	if (!__atomic_load_n(&q->found_empty, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&q->found_empty, false, __ATOMIC_RELAXED);
	wake_pullers();
}

static void SELF(tell_pushers)(void)
{
	struct SELF(queue) *q = private(queue);

	if (!__atomic_load_n(&q->found_full, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&q->found_full, false, __ATOMIC_RELAXED);
	wake_pushers();
}

/* Whether it is worth going on to push, where the ring was full. */
static bool SELF(has_room)(const struct SELF(queue) *q)
{
	const __u32 length = SELF(length)(q), room = q->capacity > length ? q->capacity - length : 0;

	return CONCURRENT && SELF(one_pushes) ? room >= WORTH_WAKING || length <= q->capacity / 2 : room > 0;
}

/* For tasks of any thread: whether there is no room. Those that push are then woken when there is. */
static inline bool SELF(has_no_room)(void)
{
	struct SELF(queue) *q = private(queue);

	if (SELF(has_room)(q))
		return false;
	__atomic_store_n(&q->found_full, true, __ATOMIC_RELAXED);
	SELF(fence)();	/* with rest(): this side sees the room, or the other one the flag */
	return !SELF(has_room)(q);
}

/* The same for tasks that push. */
static inline bool SELF(is_full)(void)
{
	const struct SELF(queue) *q = private(queue);

	return !(SELF(one_pushes) && q->last - q->seen_first < q->capacity) && SELF(has_no_room)();
}

/* After a packet has come. */
static inline void SELF(entered)(struct SELF(queue) *q, __u32 length)
{
	if (length > q->highwater)
		q->highwater = length;
	if (!CONCURRENT && length == 1)
		wake_pullers();
	if (CONCURRENT && (!SHOWN_LATER || !q->unshown++))
		wake_later(SELF(tell_pullers));
	else if (SHOWN_LATER && q->unshown == SHOWN_AFTER)
		SELF(tell_pullers)();
}

/* Add a packet after `length` others; false when out of memory. */
static inline bool SELF(append)(struct SELF(queue) *q, struct pkt *p, __u32 length)
{
	struct SELF(ring) *ring = q->slots;

	if (unlikely(!ring || length > ring->mask)) {
		if (!SELF(grow)(q))
			return false;
		ring = q->slots;
	}
	ring->slot[q->last & ring->mask] = p;
	if (CONCURRENT)
		prefetch_to_write(&ring->slot[(q->last + 8) & ring->mask]);
	RING_WRITE(last, q->last + 1);
	SELF(entered)(q, length + 1);
	return true;
}

/* Add a packet before `length` others, as the only thread; false when out of memory. */
static inline bool SELF(prepend)(struct SELF(queue) *q, struct pkt *p, __u32 length)
{
	struct SELF(ring) *ring = q->slots;

	q->seen_first = q->first;
	if (unlikely(!ring || length > ring->mask)) {
		if (!SELF(grow)(q))
			return false;
		ring = q->slots;
	}
	RING_WRITE(first, q->first - 1);
	q->seen_first = q->first;
	ring->slot[q->first & ring->mask] = p;
	SELF(entered)(q, length + 1);
	return true;
}

/* Whether there are packets, for the side that pulls, which may be this thread itself. */
static inline bool SELF(has_more)(struct SELF(queue) *q)
{
	if (SHOWN_LATER && current->put_off)
		wakeups_send(current);
	q->seen_last = SHOWN_LATER ? RING_READ(shown) : RING_READ(last);
	return q->first != q->seen_last;
}

/* Take the first packet, or NULL. */
static inline struct pkt *SELF(take)(struct SELF(queue) *q)
{
	const struct SELF(ring) *ring;
	struct pkt *p;

	if (q->first == q->seen_last && !SELF(has_more)(q))
		return NULL;
	ring = RING_READ(slots);
	p = ring->slot[q->first & ring->mask];
	if (CONCURRENT && q->seen_last - q->first > AHEAD)
		pkt_prefetch(ring->slot[(q->first + AHEAD) & ring->mask]);
	if (CONCURRENT && q->seen_last - q->first > AHEAD + 16)
		__builtin_prefetch(&ring->slot[(q->first + AHEAD + 8) & ring->mask]);
	RING_WRITE(first, q->first + 1);
	if (unlikely(__atomic_load_n(&q->found_full, __ATOMIC_RELAXED))) {
		if (!CONCURRENT)
			SELF(tell_pushers)();
		else if (!SELF(one_pushes) || SELF(has_room)(q))
			wake_later(SELF(tell_pushers));
	}
	return p;
}

/* Take the last packet, as the only thread; the queue must not be empty. */
static inline struct pkt *SELF(take_last)(struct SELF(queue) *q)
{
	const struct SELF(ring) *ring = q->slots;

	RING_WRITE(last, q->last - 1);
	q->seen_last = q->first;
	SELF(tell_pushers)();
	return ring->slot[q->last & ring->mask];
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

/* Add a packet after all others, or drop it. */
static inline void SELF(push_back)(struct SELF(queue) *q, struct pkt *p)
{
	const __u32 length = SELF(filled)(q);

	if (unlikely(length >= q->capacity || !SELF(append)(q, p, length)))
		SELF(overflow)(q, p);
}

/* Change the capacity. Excess packets, from the front or the back, are dropped silently, as in Click. */
static void SELF(resize)(struct SELF(queue) *q, __u32 capacity, bool from_front)
{
	while (SELF(length)(q) > capacity)
		pkt_free(from_front ? SELF(take)(q) : SELF(take_last)(q));
	q->capacity = capacity;
	if (SELF(length)(q) < capacity)
		SELF(tell_pushers)();
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

/* CONTROL, with the operations of Queue. No other thread uses the ring meanwhile. */
static int SELF(command)(int op, __u64 argument, bool from_front)
{
	struct SELF(queue) *q = private(queue);

	if (op == SELF(RESET)) {
		SELF(empty)(q);
		return 0;
	}
	if (op == SELF(TAKEN))
		q->seen_first = q->seen_last = q->first;
	SELF(resize)(q, argument, from_front);
	q->shown = q->last;
	if (op == SELF(TAKEN) && SELF(length)(q))
		wake_pullers();
	return 0;
}

/* The tasks that pull are about to sleep. What comes from now on wakes them; what has come a moment ago is taken. */
static struct pkt *SELF(rest)(struct SELF(queue) *q)
{
	if (!CONCURRENT)
		return NULL;
	__atomic_store_n(&q->found_empty, true, __ATOMIC_RELAXED);
	SELF(fence)();	/* with tell_pullers() */
	SELF(tell_pushers)();
	return SELF(take)(q);
}

/* After a pull in vain, the pulling task is woken a few times more, as if a packet had come. */
PULL()
{
	struct SELF(queue) *q = private(queue);
	struct pkt *p = SELF(take)(q);

	if (p) {
		q->in_vain = 0;
		return p;
	}
	if (q->in_vain >= SELF(sleepiness))
		return SELF(rest)(q);
	q->in_vain++;
	wake_pullers();
	return NULL;
}

CLEANUP()
{
	struct SELF(queue) *q = private(queue);
	struct SELF(ring) *ring, *outgrown;
	struct pkt *p;

	while ((p = SELF(take)(q)))
		pkt_free(p);
	for (ring = q->slots; ring; ring = outgrown) {
		outgrown = ring->outgrown;
		free(ring);
	}
	q->slots = NULL;
}
