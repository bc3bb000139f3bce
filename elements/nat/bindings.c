/* Endpoints that have flows: what follows from the flows that there are. */
#include "element.h"
#include "natstructures.h"
#include "nat/bindings.h"

#include <stdlib.h>

/* How many flows a key of a table has. */
struct nat_count {
	__u64 key;
	__u32 flows;
};

struct nat_outside {
	__u64 key;
	__u64 inner;		/* the key of the binding */
};

static __u64 nat_endpoint_key(const struct nat_endpoint *endpoint)
{
	return (__u64)endpoint->space << 48 | (__u64)endpoint->port << 32 | endpoint->address;
}

/* More bits than a key has: two of 2^64 are hardly ever equal, and nobody can choose such. */
static __u64 nat_peer_key(const struct nat_bindings *b, const struct nat_endpoint *inner, __be32 peer)
{
	return siphash13_2(b->secret, nat_endpoint_key(inner), peer);
}

static struct nat_endpoint nat_inner_of(const struct nat_flow *flow)
{
	return (struct nat_endpoint){.address = flow->saddr[0], .port = flow->sport[0], .space = flow->space};
}

static struct nat_endpoint nat_outer_of(const struct nat_flow *flow)
{
	return (struct nat_endpoint){.address = flow->daddr[1], .port = flow->dport[1], .space = flow->space};
}

void nat_bindings_open(struct nat_bindings *b, __u32 flows)
{
	b->inner = (struct table){.entry = sizeof(struct nat_binding), .most = flows};
	b->outer = (struct table){.entry = sizeof(struct nat_outside), .most = flows};
	b->hosts = (struct table){.entry = sizeof(struct nat_count), .most = flows};
	b->peers = (struct table){.entry = sizeof(struct nat_count), .most = flows};
}

void nat_bindings_close(struct nat_bindings *b)
{
	struct table *tables[] = {&b->inner, &b->outer, &b->hosts, &b->peers};

	for (int i = 0; i < 4; i++)
		table_clear(tables[i]);
}

static bool nat_count_up(struct table *table, __u64 key)
{
	struct nat_count *count = table_get(table, key);

	if (count)
		count->flows++;
	return count;
}

static void nat_count_down(struct table *table, __u64 key)
{
	struct nat_count *count = table_find(table, key);

	if (count && !--count->flows)
		table_remove(table, key);
}

/* A flow of an endpoint that is bound to another one, by a pattern that has changed since, is none of the binding's. */
static struct nat_binding *nat_binding_with(const struct nat_bindings *b, const struct nat_flow *flow)
{
	const struct nat_endpoint inner = nat_inner_of(flow), outer = nat_outer_of(flow);
	struct nat_binding *binding = table_find(&b->inner, nat_endpoint_key(&inner));

	return binding && nat_endpoint_key(&binding->outer) == nat_endpoint_key(&outer) ? binding : NULL;
}

static bool nat_bind(struct nat_bindings *b, const struct nat_flow *flow)
{
	const struct nat_endpoint inner = nat_inner_of(flow), outer = nat_outer_of(flow);
	struct nat_outside *outside;
	struct nat_binding *binding;

	if (table_find(&b->inner, nat_endpoint_key(&inner)))
		return true;
	outside = table_get(&b->outer, nat_endpoint_key(&outer));
	binding = outside ? table_get(&b->inner, nat_endpoint_key(&inner)) : NULL;
	if (!binding) {
		if (outside && !outside->inner)
			table_remove(&b->outer, outside->key);
		return false;
	}
	if (!outside->inner)
		outside->inner = binding->key;
	*binding = (struct nat_binding){.key = binding->key, .inner = inner, .outer = outer, .input = flow->input,
					.output = {flow->output[0], flow->output[1]}};
	return true;
}

static void nat_unbind(struct nat_bindings *b, const struct nat_binding *binding)
{
	const struct nat_outside *outside = table_find(&b->outer, nat_endpoint_key(&binding->outer));

	if (outside && outside->inner == binding->key)
		table_remove(&b->outer, outside->key);
	table_remove(&b->inner, binding->key);
}

bool nat_bindings_add(struct nat_bindings *b, const struct nat_flow *flow)
{
	const struct nat_endpoint inner = nat_inner_of(flow);
	struct nat_binding *binding;

	if (!nat_count_up(&b->hosts, flow->saddr[0]))
		return false;
	if (!b->independent)
		return true;
	if (!nat_count_up(&b->peers, nat_peer_key(b, &inner, flow->daddr[0]))) {
		nat_count_down(&b->hosts, flow->saddr[0]);
		return false;
	}
	if (!nat_bind(b, flow)) {
		nat_count_down(&b->peers, nat_peer_key(b, &inner, flow->daddr[0]));
		nat_count_down(&b->hosts, flow->saddr[0]);
		return false;
	}
	binding = nat_binding_with(b, flow);
	if (binding)
		binding->flows++;
	return true;
}

void nat_bindings_end(struct nat_bindings *b, const struct nat_flow *flow)
{
	const struct nat_endpoint inner = nat_inner_of(flow);
	struct nat_binding *binding;

	nat_count_down(&b->hosts, flow->saddr[0]);
	if (!b->independent)
		return;
	nat_count_down(&b->peers, nat_peer_key(b, &inner, flow->daddr[0]));
	binding = nat_binding_with(b, flow);
	if (binding && !--binding->flows)
		nat_unbind(b, binding);
}

const struct nat_binding *nat_binding_of(const struct nat_bindings *b, const struct nat_endpoint *inner)
{
	return table_find(&b->inner, nat_endpoint_key(inner));
}

const struct nat_binding *nat_binding_at(const struct nat_bindings *b, const struct nat_endpoint *outer)
{
	const struct nat_outside *outside = table_find(&b->outer, nat_endpoint_key(outer));

	return outside ? table_find(&b->inner, outside->inner) : NULL;
}

bool nat_binding_admits(const struct nat_bindings *b, const struct nat_binding *binding, __be32 from)
{
	if (b->filter == NAT_BY_ADDRESS)
		return table_find(&b->peers, nat_peer_key(b, &binding->inner, from));
	return b->filter == NAT_BY_NOTHING;
}

bool nat_host_is_full(const struct nat_bindings *b, __be32 address)
{
	const struct nat_count *count = b->per_host ? table_find(&b->hosts, address) : NULL;

	return count && count->flows >= b->per_host;
}
