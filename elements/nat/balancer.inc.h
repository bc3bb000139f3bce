/* Chooses servers, as _balancer.py describes. No include guard: the text is compiled for each instance. */
#include "ip/readdress.h"
#include "siphash.h"

/* The ports of a packet that is no fragment: all fragments of a packet go where the first one goes. */
static __always_inline __u32 SELF(ports)(struct pkt *p, const struct iphdr *ip)
{
	const void *ports;

	if (ip_is_fragment(ip))
		return 0;
	switch (ip->protocol) {
	case PROTOCOL_TCP:
	case PROTOCOL_UDP:
	case PROTOCOL_UDPLITE:
	case PROTOCOL_DCCP:
	case PROTOCOL_SCTP:
		ports = pkt_transport_header(p, 4);
		return ports ? word32(ports) : 0;
	}
	return 0;
}

static __always_inline __u64 SELF(flow_hash)(struct pkt *p, const struct iphdr *ip)
{
	return siphash13_2(var(balance)->key, (__u64)ip->saddr << 32 | ip->daddr, (__u64)SELF(ports)(p, ip) << 8 | ip->protocol);
}

/* What decides; `flow` is the hash of the packet's flow where that is known, else 0. */
static __always_inline __u32 SELF(decider)(struct pkt *p, const struct iphdr *ip, __u64 flow)
{
	struct SELF(balance) *balance = var(balance);

	switch (cfg.by) {
	case SELF(FLOW):
		return flow ?: SELF(flow_hash)(p, ip);
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

#if USERSPACE
INIT()
{
	hash_key_keep(var(balance)->key);
	return 0;
}
#endif
