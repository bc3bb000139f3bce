#include "nat/ports.h"

static __always_inline bool SELF(parse)(struct pkt *p, struct nat_packet *n)
{
	return nat_parse_ports(p, n) && (n->ip->protocol == PROTOCOL_TCP || n->ip->protocol == PROTOCOL_UDP ||
					 n->ip->protocol == PROTOCOL_DCCP);
}

static __always_inline __u8 SELF(track)(const struct nat_packet *n, const struct nat_target *target)
{
	return cfg.tracks_udp ? nat_track_udp(target) : 0;
}

static __always_inline void SELF(apply)(struct pkt *p, struct nat_packet *n, const struct nat_target *target)
{
	nat_apply_ports(n, target);
}

static __always_inline int SELF(keys)(__u8 protocol, bool reply, const struct nat_key *packet, struct nat_key keys[2])
{
	keys[0] = *packet;
	return 1;
}

#include "nat/rewriter.inc.h"
