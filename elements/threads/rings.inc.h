/* The state `rings`: a ring for each thread, allocated for its first packet, from which one thread at a time takes packets while the ring's
 * own thread puts some in, without a lock. cfg.capacity packets fill it: one more place stays empty. Included once for each instance.
 */
#include <stdlib.h>

#define AFTER(place) ((place) == cfg.capacity ? 0 : (place) + 1)

static struct SELF(rings) *SELF(ring)(__u32 thread)
{
	return SELF(rings_at)(this_slot() - this_thread() + thread);
}

/* How many packets wait. */
static __u32 SELF(waiting)(const struct SELF(rings) *ring)
{
	const __u32 first = __atomic_load_n(&ring->first, __ATOMIC_ACQUIRE), last = __atomic_load_n(&ring->last, __ATOMIC_ACQUIRE);

	return last < first ? last + cfg.capacity + 1 - first : last - first;
}

/* False if there is no room. */
static bool SELF(put)(struct SELF(rings) *ring, struct pkt *p)
{
	struct pkt **packets = ring->packets;

	if (!packets)
		packets = ring->packets = calloc(cfg.capacity + 1, sizeof(*packets));
	if (!packets || AFTER(ring->last) == __atomic_load_n(&ring->first, __ATOMIC_ACQUIRE))
		return false;
	packets[ring->last] = p;
	__atomic_store_n(&ring->last, AFTER(ring->last), __ATOMIC_RELEASE);
	return true;
}

static struct pkt *SELF(take)(struct SELF(rings) *ring)
{
	struct pkt **packets, *p;

	if (ring->first == __atomic_load_n(&ring->last, __ATOMIC_ACQUIRE))
		return NULL;
	packets = ring->packets;
	p = packets[ring->first];
	__atomic_store_n(&ring->first, AFTER(ring->first), __ATOMIC_RELEASE);
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
