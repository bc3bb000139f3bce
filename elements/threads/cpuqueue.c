/* One queue of a fixed size for each thread, made when it gets its first packet. */
#include <stdlib.h>

static struct SELF(rings) *SELF(ring)(__u32 thread)
{
	return SELF(rings_at)(this_slot() - this_thread() + thread);
}

static struct pkt *SELF(take)(struct SELF(rings) *ring)
{
	struct pkt **packets = ring->packets;
	struct pkt *p;

	if (!ring->length)
		return NULL;
	p = packets[ring->first];
	ring->first = ring->first + 1 == cfg.capacity ? 0 : ring->first + 1;
	ring->length--;
	return p;
}

ELEMENT(CPUQueue)
{
	struct SELF(rings) *ring = SELF(ring)(this_thread());
	struct pkt **packets = ring->packets;
	__u32 last;

	if (!packets)
		packets = ring->packets = calloc(cfg.capacity + 1, sizeof(*packets));
	if (!packets || ring->length == cfg.capacity) {
		ring->drops++;
		return DROP(FULL);
	}
	last = ring->first + ring->length;
	packets[last < cfg.capacity ? last : last - cfg.capacity] = p;
	if (++ring->length == 1)
		wake_pullers();
	return STOLEN;
}

PULL()
{
	struct SELF(turn) *turn = private(turn);
	struct pkt *p = NULL;

	for (__u32 i = 0; !p && i < thread_count(); i++) {
		p = SELF(take)(SELF(ring)(turn->next));
		turn->next = (turn->next + 1) % thread_count();
	}
	return p;
}

CLEANUP()
{
	struct pkt *p;

	for (__u32 i = 0; i < thread_count(); i++) {
		while ((p = SELF(take)(SELF(ring)(i))))
			pkt_free(p);
		free(SELF(ring)(i)->packets);
		SELF(ring)(i)->packets = NULL;
	}
}
