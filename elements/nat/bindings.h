/* Endpoints that have flows: which address and port stand for those of a source, whatever it talks to (the BIB of RFC 6146, 3.1; RFC
 * 4787, REQ-1), who may answer, and how many flows a source address has. Runtime only.
 *
 * An endpoint is bound as long as it has flows, and all that is known here follows from them: who knows the flows can make it anew.
 * Several patterns may bind an endpoint inside to one outside each. Flows that were begun from outside and aren't answered
 * (NAT_UNANSWERED) keep their binding, but admit nobody, and take nothing of their host's share.
 */
#pragma once

#include "nat/flow.h"
#include "table.h"

/* Who may begin a flow from outside to an endpoint that is bound: nobody, whose address it has sent to, anybody (RFC 4787, 5). */
enum nat_filter { NAT_BY_FLOW, NAT_BY_ADDRESS, NAT_BY_NOTHING };

struct nat_bindings {
	const __u64 *secret;	/* a hash's key */
	__u32 per_host;		/* flows that a source address may have; 0 for any number */
	bool independent;	/* endpoints are bound, else flows of addresses are counted only */
	enum nat_filter filter;
	/* By endpoint inside and number; by that outside; by source address; by endpoint and address outside. */
	struct table inner, outer, hosts, peers;
};

/* Endpoints outside that one inside may be bound to at once; flows of more patterns aren't bound. */
#define NAT_BOUND_MOST 4

/* An endpoint: address and port, and as nat_key what keeps protocols apart. */
struct nat_endpoint {
	__be32 address;
	__be16 port;
	__u32 space;
};

struct nat_binding {
	__u64 key;
	struct nat_endpoint inner, outer;
	__u32 flows, own;		/* own: those that aren't NAT_UNANSWERED */
	__u32 input;			/* the input that made it */
	__u16 output[2], number;	/* among those of the endpoint inside */
};

/* Tables without entries, of up to `flows` flows. */
void nat_bindings_open(struct nat_bindings *b, __u32 flows);
void nat_bindings_close(struct nat_bindings *b);

/* A flow begins, or ends. Its mark NAT_BOUND then says whether it is counted for a binding. False, and nothing is changed but for the mark,
 * if there is no memory.
 */
bool nat_bindings_add(struct nat_bindings *b, struct nat_flow *flow);
void nat_bindings_end(struct nat_bindings *b, const struct nat_flow *flow);
/* A flow will be no longer NAT_UNANSWERED, or is to stay it after all. False, and nothing is changed, if there is no memory. */
bool nat_bindings_answer(struct nat_bindings *b, const struct nat_flow *flow);
void nat_bindings_take_back(struct nat_bindings *b, const struct nat_flow *flow);

/* The binding number `number`, less than NAT_BOUND_MOST, of an endpoint inside, or that of one outside; NULL if there is none. */
const struct nat_binding *nat_binding_of(const struct nat_bindings *b, const struct nat_endpoint *inner, __u32 number);
const struct nat_binding *nat_binding_at(const struct nat_bindings *b, const struct nat_endpoint *outer);
/* Whether a packet from that address may begin a flow to the endpoint. */
bool nat_binding_admits(const struct nat_bindings *b, const struct nat_binding *binding, __be32 from);
/* Whether the source address has as many flows as it may have. */
bool nat_host_is_full(const struct nat_bindings *b, __be32 address);
