/* Bindings of endpoints, all derived from the existing flows. */
#include "element.h"
#include "natstructures.h"
#include "nat/bindings.h"

#include <stdlib.h>

/* How many flows a key of a table has. */
struct nat_count {
	__u64 key;
	__u32 flows;
};

/* A binding of an endpoint inside. */
struct nat_inside {
	__u64 key;
	__u64 outer;		/* the binding's key */
};

static __u64 nat_endpoint_key(const struct nat_endpoint *endpoint)
{
	return (__u64)endpoint->space << 48 | (__u64)endpoint->port << 32 | endpoint->address;
}

/* `space` has 8 bits (_flows.py). */
static __u64 nat_inside_key(const struct nat_endpoint *inner, __u32 number)
{
	return (__u64)number << 56 | nat_endpoint_key(inner);
}

/* A hash, since the fields have more than 64 bits: collisions are negligible, and nobody can choose them. */
static __u64 nat_peer_key(const struct nat_bindings *b, __u64 binding, __be32 peer)
{
	return siphash13_2(b->secret, binding, peer);
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
	b->inner = (struct table){.entry = sizeof(struct nat_inside), .most = flows};
	b->outer = (struct table){.entry = sizeof(struct nat_binding), .most = flows};
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

/* A free number for another binding of the endpoint; NAT_BOUND_MOST if there is none. */
static __u32 nat_free_number(const struct nat_bindings *b, const struct nat_endpoint *inner)
{
	__u32 number = 0;

	while (number < NAT_BOUND_MOST && table_find(&b->inner, nat_inside_key(inner, number)))
		number++;
	return number;
}

/* The binding of a flow's endpoints, made if neither is bound; NULL if one of them is bound otherwise. Sets *failed if there is no
 * memory.
 */
static struct nat_binding *nat_bind(struct nat_bindings *b, const struct nat_flow *flow, bool *failed)
{
	const struct nat_endpoint inner = nat_inner_of(flow), outer = nat_outer_of(flow);
	struct nat_binding *binding = table_find(&b->outer, nat_endpoint_key(&outer));
	const __u32 number = nat_free_number(b, &inner);
	struct nat_inside *inside;

	*failed = false;
	if (binding)
		return nat_endpoint_key(&binding->inner) == nat_endpoint_key(&inner) ? binding : NULL;
	if (number == NAT_BOUND_MOST)
		return NULL;
	*failed = true;
	inside = table_get(&b->inner, nat_inside_key(&inner, number));
	if (!inside)
		return NULL;
	binding = table_get(&b->outer, nat_endpoint_key(&outer));
	if (!binding) {
		table_remove(&b->inner, inside->key);
		return NULL;
	}
	inside->outer = binding->key;
	*binding = (struct nat_binding){.key = binding->key, .inner = inner, .outer = outer, .input = flow->input,
					.output = {flow->output[0], flow->output[1]}, .number = number};
	*failed = false;
	return binding;
}

static void nat_unbind(struct nat_bindings *b, const struct nat_binding *binding)
{
	table_remove(&b->inner, nat_inside_key(&binding->inner, binding->number));
	table_remove(&b->outer, binding->key);
}

/* The binding that counts a flow, or NULL. */
static struct nat_binding *nat_binding_with(const struct nat_bindings *b, const struct nat_flow *flow)
{
	const struct nat_endpoint outer = nat_outer_of(flow);

	return flow->marks & NAT_BOUND ? table_find(&b->outer, nat_endpoint_key(&outer)) : NULL;
}

bool nat_bindings_answer(struct nat_bindings *b, const struct nat_flow *flow)
{
	struct nat_binding *binding = nat_binding_with(b, flow);

	if (!nat_count_up(&b->hosts, flow->saddr[0]))
		return false;
	if (binding && !nat_count_up(&b->peers, nat_peer_key(b, binding->key, flow->daddr[0]))) {
		nat_count_down(&b->hosts, flow->saddr[0]);
		return false;
	}
	if (binding)
		binding->own++;
	return true;
}

void nat_bindings_take_back(struct nat_bindings *b, const struct nat_flow *flow)
{
	struct nat_binding *binding = nat_binding_with(b, flow);

	nat_count_down(&b->hosts, flow->saddr[0]);
	if (!binding)
		return;
	nat_count_down(&b->peers, nat_peer_key(b, binding->key, flow->daddr[0]));
	binding->own--;
}

static void nat_leave_binding(struct nat_bindings *b, const struct nat_flow *flow)
{
	struct nat_binding *binding = nat_binding_with(b, flow);

	if (binding && !--binding->flows)
		nat_unbind(b, binding);
}

bool nat_bindings_add(struct nat_bindings *b, struct nat_flow *flow)
{
	bool failed = false;
	struct nat_binding *binding = b->independent ? nat_bind(b, flow, &failed) : NULL;

	nat_set(flow, marks, (flow->marks & ~NAT_BOUND) | (binding ? NAT_BOUND : 0));
	if (failed)
		return false;
	if (binding)
		binding->flows++;
	if (flow->marks & NAT_UNANSWERED || nat_bindings_answer(b, flow))
		return true;
	nat_leave_binding(b, flow);
	return false;
}

void nat_bindings_end(struct nat_bindings *b, const struct nat_flow *flow)
{
	if (!(flow->marks & NAT_UNANSWERED))
		nat_bindings_take_back(b, flow);
	nat_leave_binding(b, flow);
}

const struct nat_binding *nat_binding_of(const struct nat_bindings *b, const struct nat_endpoint *inner, __u32 number)
{
	const struct nat_inside *inside = table_find(&b->inner, nat_inside_key(inner, number));

	return inside ? table_find(&b->outer, inside->outer) : NULL;
}

const struct nat_binding *nat_binding_at(const struct nat_bindings *b, const struct nat_endpoint *outer)
{
	return table_find(&b->outer, nat_endpoint_key(outer));
}

bool nat_binding_admits(const struct nat_bindings *b, const struct nat_binding *binding, __be32 from)
{
	if (b->filter == NAT_BY_ADDRESS)
		return table_find(&b->peers, nat_peer_key(b, binding->key, from));
	return b->filter == NAT_BY_NOTHING && binding->own;
}

bool nat_host_is_full(const struct nat_bindings *b, __be32 address)
{
	const struct nat_count *count = b->per_host ? table_find(&b->hosts, address) : NULL;

	return count && count->flows >= b->per_host;
}
