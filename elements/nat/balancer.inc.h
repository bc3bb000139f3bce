/* Chooses servers, as _balancer.py describes. No include guard: the text is compiled for each instance. */
#include "ip/flowhash.h"

/* The number that LB_MODE chooses by; `flow` is the hash of the packet's flow if already computed, else 0. */
static __always_inline __u32 SELF(decider)(struct pkt *p, __u64 flow)
{
	struct SELF(balance) *balance = var(balance);

	switch (cfg.by) {
	case SELF(FLOW):
		return flow ?: flow_hash(p, balance->key, true);
	case SELF(ADDRESSES):
		return flow_hash(p, balance->key, false);
	case SELF(AGGREGATE):
		return siphash13(balance->key, pkt_anno_u32(p, AGGREGATE_ANNO));
	}
	return __sync_fetch_and_add(&balance->next, 1) % (read_once(balance->filled) ?: 1);
}

/* The number of a server, or -1 if none is active. */
static __always_inline int SELF(choose)(struct pkt *p, __u64 flow)
{
	const __u32 filled = read_once(var(balance)->filled);
	const struct SELF(table) *place = filled ? at(table, SELF(decider)(p, flow) % filled) : NULL;

	return place ? read_once(place->server) : -1;
}

static __always_inline void SELF(track)(struct pkt *p, struct SELF(servers) *server)
{
	if (!cfg.force_track_load)
		return;
	__sync_fetch_and_add(&server->packets, 1);
	__sync_fetch_and_add(&server->bytes, pkt_len(p));
}

#if USERSPACE
INIT()
{
	hash_key_keep(var(balance)->key);
	return 0;
}
#endif
