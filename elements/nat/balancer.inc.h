/* Chooses servers, as _balancer.py describes. No include guard: the text is compiled for each instance. */
#include "ip/flowhash.h"
#include "ip/readdress.h"

/* The number that LB_MODE chooses by; `flow` is the hash of the packet's flow if already computed, else 0. */
static __always_inline __u32 SELF(decider)(struct pkt *p, const struct iphdr *ip, __u64 flow)
{
	struct SELF(balance) *balance = var(balance);

	switch (cfg.by) {
	case SELF(FLOW):
		return flow ?: flow_hash(p, ip, balance->key);
	case SELF(ADDRESSES):
		return siphash13_2(balance->key, ip->saddr, ip->daddr);
	case SELF(AGGREGATE):
		return siphash13(balance->key, pkt_anno_u32(p, AGGREGATE_ANNO));
	}
	return __sync_fetch_and_add(&balance->next, 1) % (read_once(balance->filled) ?: 1);
}

/* The number of a server, or -1 if none is active. */
static __always_inline int SELF(choose)(struct pkt *p, const struct iphdr *ip, __u64 flow)
{
	const __u32 filled = read_once(var(balance)->filled);
	const struct SELF(table) *place = filled ? at(table, SELF(decider)(p, ip, flow) % filled) : NULL;

	return place ? read_once(place->server) : -1;
}

static __always_inline void SELF(track)(struct pkt *p, struct SELF(servers) *server)
{
	if (!cfg.force_track_load)
		return;
	__sync_fetch_and_add(&server->packets, 1);
	__sync_fetch_and_add(&server->bytes, pkt_len(p));
}

/* Send a packet to a server: set its destination, and update checksums. */
static __always_inline UNUSED int SELF(send_to)(struct pkt *p, struct iphdr *ip, struct SELF(servers) *server)
{
	ip_readdress(p, ip, offsetof(struct iphdr, daddr), server->address);
	pkt_set_dst_ip(p, server->address);
	SELF(track)(p, server);
	return OUTPUT(0);
}

#if USERSPACE
INIT()
{
	hash_key_keep(var(balance)->key);
	return 0;
}
#endif
