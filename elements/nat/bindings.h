/* Bindings: the address and port outside for each endpoint inside, whatever its peers (the BIB of RFC 6146, 3.1; RFC 4787, REQ-1),
 * the peers that may answer, and the number of flows of each source address. Runtime only.
 *
 * An endpoint is bound as long as it has flows, and everything here can be rebuilt from the flows. With several patterns, an
 * endpoint inside may have one binding for each. Flows begun from outside and not yet answered (NAT_UNANSWERED) keep their binding,
 * but admit no peers, and don't count for their host's share.
 */
#pragma once

#include "nat/flow.h"
#include "table.h"

/* Which peers may begin a flow to a bound endpoint: none, those whose address it has sent to, any (RFC 4787, 5). */
enum nat_filter { NAT_BY_FLOW, NAT_BY_ADDRESS, NAT_BY_NOTHING };

struct nat_bindings {
	const __u64 *secret;	/* a hash's key */
	__u32 per_host;		/* limit of flows for each source address; 0 for none */
	bool independent;	/* bind endpoints; else only count flows of addresses */
	enum nat_filter filter;
	/* Keys: endpoint inside and number; endpoint outside; source address; endpoint outside and peer. */
	struct table inner, outer, hosts, peers;
};

/* The most bindings of one endpoint inside; flows of further patterns aren't bound. */
#define NAT_BOUND_MOST 4

/* An endpoint: address, port, and the protocol space of nat_key. */
struct nat_endpoint {
	__be32 address;
	__be16 port;
	__u32 space;
};

struct nat_binding {
	__u64 key;
	struct nat_endpoint inner, outer;
	__u32 flows, own;		/* own: flows without NAT_UNANSWERED */
	__u32 input;			/* the input that made it */
	__u16 output[2], number;	/* of the binding, among those of the endpoint inside */
};

/* Initialise empty tables for up to `flows` flows. */
void nat_bindings_open(struct nat_bindings *b, __u32 flows);
void nat_bindings_close(struct nat_bindings *b);

/* Add or remove a flow. Adding sets its mark NAT_BOUND if a binding counts it. False, with only the mark changed, if there is no
 * memory.
 */
bool nat_bindings_add(struct nat_bindings *b, struct nat_flow *flow);
void nat_bindings_end(struct nat_bindings *b, const struct nat_flow *flow);
/* Prepare for a flow to lose NAT_UNANSWERED; take that back. False, with nothing changed, if there is no memory. */
bool nat_bindings_answer(struct nat_bindings *b, const struct nat_flow *flow);
void nat_bindings_take_back(struct nat_bindings *b, const struct nat_flow *flow);

/* The binding number `number`, less than NAT_BOUND_MOST, of an endpoint inside; the binding of an endpoint outside. NULL if there
 * is none.
 */
const struct nat_binding *nat_binding_of(const struct nat_bindings *b, const struct nat_endpoint *inner, __u32 number);
const struct nat_binding *nat_binding_at(const struct nat_bindings *b, const struct nat_endpoint *outer);
/* Whether a packet from address `from` may begin a flow to the endpoint. */
bool nat_binding_admits(const struct nat_bindings *b, const struct nat_binding *binding, __be32 from);
/* Whether the source address has reached its limit of flows. */
bool nat_host_is_full(const struct nat_bindings *b, __be32 address);
