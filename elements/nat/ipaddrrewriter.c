#include "nat/ports.h"

static __always_inline bool SELF(parse)(struct pkt *p, struct nat_packet *n)
{
	if (!nat_parse_ip(p, n))
		return false;
	nat_parse_transport(p, n);
	n->key = (struct nat_key){.saddr = n->ip->saddr};
	n->second = (struct nat_key){.daddr = n->ip->daddr};
	n->has_second = true;
	return true;
}

static __always_inline __u8 SELF(track)(const struct nat_packet *n, const struct nat_target *target)
{
	return 0;
}

static __always_inline void SELF(apply)(struct pkt *p, struct nat_packet *n, const struct nat_target *target)
{
	/* The peer's address is 0 in the flow: keep the packet's. */
	if (target->direction)
		n->ip->daddr = target->daddr;
	else
		n->ip->saddr = target->saddr;
	n->ip->check = nat_sum(n->ip->check, target->ip_delta);
	nat_apply_sum(n, target);
}

static __always_inline int SELF(keys)(__u8 protocol, bool reply, const struct nat_key *packet, struct nat_key keys[2])
{
	keys[0] = (struct nat_key){.saddr = packet->saddr};
	keys[1] = (struct nat_key){.daddr = packet->daddr};
	return 2;
}

#include "nat/rewriter.inc.h"
