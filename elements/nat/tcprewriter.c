#include "nat/ports.h"

static __always_inline bool SELF(parse)(struct pkt *p, struct nat_packet *n)
{
	return nat_parse_ports(p, n) && n->ip->protocol == PROTOCOL_TCP;
}

static __always_inline __u8 SELF(track)(const struct nat_packet *n, const struct nat_target *target)
{
	return nat_track_tcp(n, target);
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
