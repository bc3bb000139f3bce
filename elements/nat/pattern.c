/* Choosing rewritten addresses and ports for new flows, by patterns and mappers. */
#include "element.h"
#include "natstructures.h"
#include "nat/pattern.h"
#include "nat/ping.h"

/* Ports or addresses to try for one packet. */
#define NAT_PROBES 256

void nat_register(struct nat_provider **providers, struct nat_provider *provider)
{
	provider->next = *providers;
	*providers = provider;
}

void nat_unregister(struct nat_provider **at, struct nat_provider *provider)
{
	while (*at && *at != provider)
		at = &(*at)->next;
	if (*at)
		*at = provider->next;
}

static struct nat_provider *nat_provider_of(struct nat_provider *provider, const struct nat_spec *spec)
{
	while (provider && provider->element + 1 != spec->element)
		provider = provider->next;
	return provider;
}

/* Set the rewritten key to number `value` of a pattern's range of ports or addresses. */
static void nat_set_choice(struct nat_request *request, const struct nat_spec *pattern, __u32 value)
{
	struct nat_key *to = &request->rewritten;

	if (!pattern->ports) {
		to->saddr = htonl(ntohl(pattern->saddr) + value);
		return;
	}
	to->sport = htons(ntohs(pattern->sport) + value);
	if (request->rewriter->pairs_ports)
		to->dport = nat_pair(to->sport);
}

/* Whether no other flow has the same replies. */
static bool nat_is_unused(const struct nat_request *request)
{
	const struct nat_key reply = nat_turned(&request->rewritten);

	return !nat_find(request->rewriter, &reply);
}

/* Whether another source has the endpoint. */
static bool nat_is_bound(const struct nat_request *request)
{
	const struct nat_bindings *bindings = request->rewriter->bindings;
	const struct nat_key *to = &request->rewritten, *from = &request->key;
	const struct nat_endpoint outer = {.address = to->saddr, .port = to->sport, .space = to->space};
	const struct nat_binding *binding = bindings && bindings->independent ? nat_binding_at(bindings, &outer) : NULL;

	return binding && (binding->inner.address != from->saddr || binding->inner.port != from->sport);
}

static bool nat_is_free(const struct nat_request *request)
{
	return nat_is_unused(request) && !nat_is_bound(request);
}

/* A uniform random number from 0 to `top`. */
static __u32 nat_random(__u32 top)
{
	return ((__u64)random_u32() * ((__u64)top + 1)) >> 32;
}

/* Choose a free port or address from a pattern's range. If the range is nearly used up for one peer, NAT_PROBES attempts may not
 * suffice for a packet; in sequential order, the next packet continues from there.
 */
static bool nat_choose_free(struct nat_request *request, struct nat_spec *pattern)
{
	const __u32 own = ntohs(request->key.sport) - (pattern->ports ? ntohs(pattern->sport) : ntohl(pattern->saddr));
	__u32 value = nat_random(pattern->top);

	if (pattern->order == NAT_SAME_FIRST && pattern->ports && own <= pattern->top) {
		nat_set_choice(request, pattern, own);
		if (nat_is_free(request)) {
			pattern->next = own + 1;
			return true;
		}
	}
	if (pattern->order == NAT_SEQUENTIAL)
		value = pattern->next > pattern->top ? 0 : pattern->next;
	for (__u64 tries = 0; tries <= pattern->top && request->probes; tries++, value = value == pattern->top ? 0 : value + 1) {
		request->probes--;
		nat_set_choice(request, pattern, value);
		if (nat_is_free(request)) {
			pattern->next = value + 1;
			return true;
		}
	}
	pattern->next = value;
	return false;
}

/* Whether a pattern can map packets with this key to an endpoint outside. */
static bool nat_fits(const struct nat_request *request, const struct nat_spec *pattern, const struct nat_endpoint *outer)
{
	if (pattern->ports)
		return outer->address == (pattern->saddr ?: request->key.saddr) &&
		       (__u32)ntohs(outer->port) - ntohs(pattern->sport) <= pattern->top;
	return outer->port == (pattern->sport ?: request->key.sport) &&
	       ntohl(outer->address) - ntohl(pattern->saddr) <= pattern->top;
}

/* The binding of the source's endpoint within the pattern's range, or NULL. */
static const struct nat_binding *nat_bound(const struct nat_request *request, const struct nat_spec *pattern)
{
	const struct nat_bindings *bindings = request->rewriter->bindings;
	const struct nat_endpoint inner = {
		.address = request->key.saddr, .port = request->key.sport, .space = request->key.space,
	};

	for (int which = 0; bindings && bindings->independent && pattern->top && which < NAT_BOUND_MOST; which++) {
		const struct nat_binding *binding = nat_binding_of(bindings, &inner, which);

		if (binding && nat_fits(request, pattern, &binding->outer))
			return binding;
	}
	return NULL;
}

static bool nat_apply_pattern(struct nat_request *request, struct nat_spec *pattern)
{
	const struct nat_binding *bound = nat_bound(request, pattern);
	struct nat_key *to = &request->rewritten;

	*to = request->key;
	if (pattern->saddr)
		to->saddr = pattern->saddr;
	if (pattern->sport)
		to->sport = pattern->sport;
	if (pattern->daddr)
		to->daddr = pattern->daddr;
	if (pattern->dport)
		to->dport = pattern->dport;
	if (bound) {
		to->saddr = bound->outer.address;
		to->sport = bound->outer.port;
	}
	if (request->rewriter->pairs_ports)
		to->dport = nat_pair(to->sport);
	if (bound)
		return nat_is_unused(request);
	return pattern->top ? nat_choose_free(request, pattern) : !nat_is_bound(request);
}

bool nat_has_bound(const struct nat_request *request, const struct nat_spec *spec)
{
	const struct nat_provider *provider = nat_provider_of(*request->rewriter->providers, spec);

	return spec->kind == NAT_PATTERN && nat_bound(request, provider ? &provider->spec[spec->number] : spec);
}

bool nat_apply_spec(struct nat_request *request, struct nat_spec *spec)
{
	struct nat_provider *provider = nat_provider_of(*request->rewriter->providers, spec);

	if (spec->kind == NAT_MAPPER)
		return provider && provider->choose && provider->choose(request);
	request->output[0] = spec->output[0];
	request->output[1] = spec->output[1];
	request->rewritten = request->key;
	if (spec->kind == NAT_KEEP)
		return !nat_is_bound(request);
	if (spec->kind != NAT_PATTERN)
		return false;
	return nat_apply_pattern(request, provider ? &provider->spec[spec->number] : spec);
}

/* Patterns that change ports or destinations are of no use to rewriters that ignore them. */
static bool nat_is_possible(const struct nat_rewriter *r, const struct nat_key *rewritten)
{
	return (r->uses_ports || !(rewritten->sport | rewritten->dport)) && (r->uses_destination || !rewritten->daddr);
}

__u32 nat_make(struct nat_rewriter *r, __u32 input, const struct nat_key *key, __u8 protocol, __u64 time)
{
	struct nat_request request = {.rewriter = r, .key = *key, .probes = NAT_PROBES};
	struct nat_spec *spec = &r->input[input];
	struct nat_birth birth;

	if (!nat_apply_spec(&request, spec)) {
		spec->failures += spec->kind == NAT_KEEP || spec->kind == NAT_PATTERN || spec->kind == NAT_MAPPER;
		return 0;
	}
	if (!nat_is_possible(r, &request.rewritten))
		return 0;
	birth = (struct nat_birth){.key = *key, .rewritten = request.rewritten, .input = input,
				   .output = {request.output[0], request.output[1]}, .protocol = protocol};
	return nat_begin(r, &birth, time);
}

__u32 nat_admit(struct nat_rewriter *r, const struct nat_key *packet, __u8 protocol, __u64 time)
{
	const struct nat_endpoint outer = {.address = packet->daddr, .port = packet->dport, .space = packet->space};
	const struct nat_binding *binding = nat_binding_at(r->bindings, &outer);
	struct nat_birth birth = {.key = nat_turned(packet), .rewritten = nat_turned(packet), .protocol = protocol, .unanswered = true};

	if (!binding || !nat_binding_admits(r->bindings, binding, packet->saddr))
		return 0;
	birth.key.saddr = binding->inner.address;
	birth.key.sport = binding->inner.port;
	birth.input = binding->input;
	birth.output[0] = binding->output[0];
	birth.output[1] = binding->output[1];
	/* The host may already have a flow to that peer, by another endpoint outside. */
	return nat_find(r, &birth.key) ? 0 : nat_begin(r, &birth, time);
}
