#include "nat/ping.h"

static __always_inline bool SELF(parse)(struct pkt *p, struct nat_packet *n)
{
	return nat_parse_ip(p, n) && nat_parse_ping(p, n);
}

static __always_inline __u8 SELF(track)(const struct nat_packet *n, const struct nat_target *target)
{
	/* Nothing is tracked, but a changed state makes the kernel path hand the packet over: return that for an ambiguous
	 * checksum.
	 */
	return !USERSPACE && nat_ping_is_ambiguous(n, target);
}

static __always_inline void SELF(apply)(struct pkt *p, struct nat_packet *n, const struct nat_target *target)
{
	nat_apply_ip(n, target);
	nat_apply_ping(p, n, target);
}

static __always_inline int SELF(keys)(__u8 protocol, bool reply, const struct nat_key *packet, struct nat_key keys[2])
{
	keys[0] = nat_ping_key(packet->saddr, packet->daddr, packet->sport, reply);
	return protocol == PROTOCOL_ICMP;
}

#include "nat/rewriter.inc.h"
