/* What other elements ask of rewriters. Runtime only, by one thread at a time (keeper.h). */
#ifndef CLICKBPF_NAT_ENTRY_H
#define CLICKBPF_NAT_ENTRY_H

#include "nat/pattern.h"

/* A rewriter of several that may know a flow, and what is added to its outputs (-1: they aren't used). */
struct nat_map {
	struct nat_rewriter *rewriter;
	int offset;
};

/* What a rewriter makes of a packet of a flow that nat_entry() has found. Fields that it has no use for are the packet's. */
static inline struct nat_target nat_entry_target(const struct nat_rewriter *r, __u32 found, const struct nat_key *packet)
{
	const struct nat_flow *flow = &r->flow[found >> 1];
	const struct nat_key key = nat_flow_key(flow, found & 1);
	struct nat_target target;

	nat_read(flow, found & 1, &key, &target);
	if (!r->uses_destination) {
		target.saddr = target.saddr ?: packet->saddr;
		target.daddr = target.daddr ?: packet->daddr;
	}
	if (!r->uses_ports) {
		target.sport = packet->sport;
		target.dport = packet->dport;
	}
	return target;
}

#endif
