/* Choosing rewritten addresses and ports for new flows: input specifications, patterns, mappers. Runtime only.
 *
 * A mapper is an element that chooses for a rewriter: it registers a struct nat_provider with a function `choose`. Holders of named
 * patterns (IPRewriterPatterns) register without `choose`.
 */
#pragma once

#include "nat/keeper.h"

/* A request for a flow. */
struct nat_request {
	const struct nat_rewriter *rewriter;
	struct nat_key key;		/* of the packet */
	struct nat_key rewritten;	/* the packet's rewritten key */
	__u16 output[2];		/* for the flow's packets, and for replies */
	__u32 probes;			/* ports or addresses still to try */
};

struct nat_provider {
	struct nat_provider *next;
	__u32 element;
	struct nat_spec *spec;		/* its patterns, by number */
	bool (*choose)(struct nat_request *request);
};

/* Add a provider to a router's list; remove it. The element owns it. */
void nat_register(struct nat_provider **providers, struct nat_provider *provider);
void nat_unregister(struct nat_provider **providers, struct nat_provider *provider);

/* Fill a request, whose `rewriter`, `key` and `probes` are set, by a specification. False if that makes no flows, if its mapper or
 * the holder of its pattern is gone, or if all tried ports or addresses are in use.
 */
bool nat_apply_spec(struct nat_request *request, struct nat_spec *spec);

/* Whether the source's endpoint is bound within the range of the specification's pattern: mappers prefer that pattern. */
bool nat_has_bound(const struct nat_request *request, const struct nat_spec *spec);

/* Make a flow for packets with `key` by the specification of `input`. Returns its number, or 0. `time` is now(). */
__u32 nat_make(struct nat_rewriter *r, __u32 input, const struct nat_key *key, __u8 protocol, __u64 time);
/* Make a flow for a packet from outside, if it is for a bound endpoint that admits it (struct nat_bindings). Except for its mark
 * NAT_UNANSWERED, the flow is as if the endpoint inside had begun it, with the packet as a reply. Returns its number, or 0.
 */
__u32 nat_admit(struct nat_rewriter *r, const struct nat_key *packet, __u8 protocol, __u64 time);
