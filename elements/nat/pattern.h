/* Packets without a flow: input specifications, patterns, mappers. Runtime only.
 *
 * A mapper is an element that chooses for a rewriter: it registers a struct nat_provider whose `choose` determines what a packet
 * becomes. Holders of named patterns (IPRewriterPatterns) register without `choose`.
 */
#pragma once

#include "nat/keeper.h"

/* A request for a flow. */
struct nat_request {
	const struct nat_rewriter *rewriter;
	struct nat_key key;		/* of the packet */
	struct nat_key rewritten;	/* what it becomes */
	__u16 output[2];		/* by which its flow's packets leave, and the replies */
	__u32 probes;			/* ports or addresses that may still be tried */
};

struct nat_provider {
	struct nat_provider *next;
	__u32 element;
	struct nat_spec *spec;		/* its patterns, by number */
	bool (*choose)(struct nat_request *request);
};

/* Add a provider to a router's, and remove it; its element owns it. */
void nat_register(struct nat_provider **providers, struct nat_provider *provider);
void nat_unregister(struct nat_provider **providers, struct nat_provider *provider);

/* Fill a request, of which `rewriter`, `key` and `probes` are set, by a specification that makes flows; false if it can't: the
 * specification makes none, its mapper or the holder of its pattern is gone, or all of the pattern's range that was tried is in use.
 */
bool nat_apply_spec(struct nat_request *request, struct nat_spec *spec);

/* Whether the source's endpoint is bound to one that the specification's pattern has (struct nat_bindings): a mapper that gives a source
 * more than one pattern prefers that one.
 */
bool nat_has_bound(const struct nat_request *request, const struct nat_spec *spec);

/* Make a flow for packets with `key`, as input `input` says. Its number, or 0; `key` is of a packet that makes flows. `time` is now(). */
__u32 nat_make(struct nat_rewriter *r, __u32 input, const struct nat_key *key, __u8 protocol, __u64 time);
/* Make a flow for a packet with a key that comes from outside, to an endpoint that is bound and admits it (struct nat_bindings): the flow
 * is NAT_UNANSWERED, else as if the endpoint inside had made it, and the packet answers. Its number, or 0.
 */
__u32 nat_admit(struct nat_rewriter *r, const struct nat_key *packet, __u8 protocol, __u64 time);
