/* The state `rings`: a ring of cfg.capacity packets for each thread, allocated for its first packet. Included once for each
 * instance.
 */
#include <stdlib.h>

static struct SELF(rings) *SELF(ring)(__u32 thread)
{
	return SELF(rings_at)(this_slot() - this_thread() + thread);
}

/* False if there is no room. */
static bool SELF(put)(struct SELF(rings) *ring, struct pkt *p)
{
	struct pkt **packets = ring->packets;
	__u32 last;

	if (!packets)
		packets = ring->packets = calloc(cfg.capacity + 1, sizeof(*packets));
	if (!packets || ring->length == cfg.capacity)
		return false;
	last = ring->first + ring->length++;
	packets[last < cfg.capacity ? last : last - cfg.capacity] = p;
	return true;
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

static void SELF(free_rings)(void)
{
	struct pkt *p;

	for (__u32 i = 0; i < thread_count(); i++) {
		while ((p = SELF(take)(SELF(ring)(i))))
			pkt_free(p);
		free(SELF(ring)(i)->packets);
		SELF(ring)(i)->packets = NULL;
	}
}
