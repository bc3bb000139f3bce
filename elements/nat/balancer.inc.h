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

struct SELF(best) {
	__u64 load;
	int number;	/* -1: none yet */
};

/* Take the server at a place of the table if its load is lower. A callback of bpf_loop(). */
static UNUSED long SELF(consider)(__u32 place, struct SELF(best) *best)
{
	const struct SELF(table) *entry = at(table, place);
	const struct SELF(servers) *server = entry ? at(servers, read_once(entry->server)) : NULL;
	__u64 load;

	if (!server)
		return 0;
	load = read_once(server->loads[cfg.lst_mode]);
	if (best->number < 0 || load < best->load) {
		best->load = load;
		best->number = read_once(entry->server);
	}
	return 0;
}

/* The first server with the lowest load, of all; or the better one of two, by the flow's hash. */
static __always_inline UNUSED int SELF(choose_by_load)(struct pkt *p, __u64 flow, __u32 filled)
{
	struct SELF(best) best = { .number = -1 };

	if (cfg.by == SELF(TWO)) {
		flow = flow ?: flow_hash(p, var(balance)->key, true);
		SELF(consider)((__u32)flow % filled, &best);
		SELF(consider)((flow >> 32) % filled, &best);
		return best.number;
	}
#if USERSPACE
	for (__u32 place = 0; place < filled; place++)
		SELF(consider)(place, &best);
#else
	bpf_loop(filled, SELF(consider), &best, 0);
#endif
	return best.number;
}

/* The number of a server, or -1 if none is active. */
static __always_inline int SELF(choose)(struct pkt *p, __u64 flow)
{
	const __u32 filled = read_once(var(balance)->filled);
	const struct SELF(table) *place;

	if (filled && (cfg.by == SELF(LEAST) || cfg.by == SELF(TWO)))
		return SELF(choose_by_load)(p, flow, filled);
	place = filled ? at(table, SELF(decider)(p, flow) % filled) : NULL;
	return place ? read_once(place->server) : -1;
}

static __always_inline void SELF(track)(struct pkt *p, struct SELF(servers) *server)
{
	if (!cfg.tracks)
		return;
	__sync_fetch_and_add(&server->loads[SELF(PACKETS)], 1);
	__sync_fetch_and_add(&server->loads[SELF(BYTES)], pkt_len(p));
}
