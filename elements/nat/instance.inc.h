/* A rewriter in the runtime. Included once for each instance (rewriter.inc.h). */

#include "nat/providers.h"

/* The set may belong to another element, whose code may come later. */
#undef NAT_SET
#ifdef OTHER_owner
#define NAT_SET OTHER(owner, flow_set)
LASTING_OF(struct nat_set, NAT_SET);
#else
#define NAT_SET SELF(flow_set)
LASTING(struct nat_set, flow_set);
#endif

static __u64 SELF(stays_tcp)(__u8 tracked)
{
	if ((tracked & NAT_TCP_DONE) == NAT_TCP_DONE)
		return cfg.tcp_done;
	return (tracked & NAT_TCP_DATA) == NAT_TCP_DATA ? cfg.tcp_data : cfg.tcp_nodata;
}

static __u64 SELF(stays)(__u8 tracked)
{
	return tracked > NAT_UDP_MANY ? cfg.streaming : cfg.plain;
}

static const struct nat_timeouts *SELF(timeouts)(__u8 protocol)
{
	static const struct nat_timeouts tcp = {SELF(stays_tcp), cfg.tcp_guarantee, cfg.tcp_unanswered};
	static const struct nat_timeouts plain = {SELF(stays), cfg.plain_guarantee, cfg.plain};

	return cfg.tracks_tcp && protocol == PROTOCOL_TCP ? &tcp : &plain;
}

#define NAT_BINDS (cfg.independent || cfg.host_capacity)

LASTING(struct nat_bindings, bindings);
static struct nat_bindings SELF(bindings_own) = {
	.per_host = cfg.host_capacity,
	.independent = cfg.independent,
	.filter = cfg.filter,
};

LASTING(struct nat_rewriter, rewriter);
static struct nat_rewriter SELF(rewriter_own) = {
	.numbers = cfg.numbers,
	.inputs = SELF(ninputs),
	.outputs = SELF(noutputs),
	.element = SELF(index),
	.timeouts = SELF(timeouts),
	.keys = SELF(keys),
	.providers = &nat_providers_own,
	.bindings = NAT_BINDS ? &SELF(bindings_own) : NULL,
	.uses_ports = cfg.uses_ports,
	.uses_destination = cfg.uses_destination,
	.tracks_sequence = cfg.tracks_tcp,
	.pairs_ports = cfg.pairs_ports,
};

/* Make a flow for a packet; NULL if that fails. */
static struct nat_flow *SELF(make)(struct pkt *p, int input, const struct nat_packet *n, struct nat_target *target)
{
	struct nat_rewriter *r = SELF(rewriter);
	const __u32 number = nat_make(r, input, &n->key, n->ip->protocol, now());
	struct nat_flow *flow = &r->flow[number];

	if (!number)
		return NULL;
	if (cfg.reply_anno >= 0)
		nat_set(flow, reply_anno, pkt_anno_u8(p, cfg.reply_anno));
	nat_read(flow, 0, &n->key, target);
	return flow;
}

/* Make a flow for a packet from outside to a bound endpoint; NULL if it isn't admitted. */
static struct nat_flow *SELF(admit)(const struct nat_packet *n, struct nat_target *target)
{
	struct nat_rewriter *r = SELF(rewriter);
	const __u32 number = nat_admit(r, &n->key, n->ip->protocol, now());
	struct nat_flow *flow = &r->flow[number];

	if (!number)
		return NULL;
	nat_read(flow, 1, &n->key, target);
	return flow;
}

/* The host answers a flow begun from outside, which now counts for the host; false if its share is used up. A reset doesn't count
 * as an answer: otherwise anybody could use up the share of a host that refuses connections.
 */
static bool SELF(answer)(const struct nat_packet *n, struct nat_flow *flow, struct nat_target *target)
{
	if (!nat_is_answer(target) || (n->tcp && n->tcp->flags & TCP_RST))
		return true;
	if (!nat_answer(SELF(rewriter), flow, now()))
		return false;
	target->marks = flow->marks;
	return true;
}

/* Update a flow's state by a packet. */
static void SELF(learn)(const struct nat_packet *n, struct nat_flow *flow, struct nat_target *target)
{
	const __u8 tracked = SELF(track)(n, target);

	if (tracked != target->tracked)
		nat_track(SELF(rewriter), flow, tracked);
}

/* Rewrite sequence numbers, after addresses and ports. */
static void SELF(shift)(const struct nat_packet *n, const struct nat_flow *flow, const struct nat_target *target)
{
	struct nat_rewriter *r = SELF(rewriter);
	struct nat_changes *changes = r->changes ? r->changes[flow - r->flow] : NULL;

	if (changes && n->tcp && n->length >= sizeof(*n->tcp))
		nat_rewrite_sequence(n->tcp, changes, target->direction, n->length);
}

/* The pause between two runs of a timer with more to do, for packets to take the lock. */
#define NAT_BREATH 1000000

static void SELF(reap_again)(void)
{
	if (cfg.reap_interval)
		timer_after(cfg.reap_interval);
}

TIMER()
{
	bool done;

	lock();
	done = nat_shrink(NAT_SET, now(), *NAT_SET->capacity, NAT_STEPS);
	unlock();
	if (done)
		SELF(reap_again)();
	else
		timer_after(NAT_BREATH);
}

INIT()
{
	struct nat_rewriter *r = SELF(rewriter);
	struct SELF(vars) *vars = var(vars);

	r->set = NAT_SET;
	r->flow = (struct nat_flow *)at(flows, 0);
	r->input = (struct nat_spec *)at(inputs, 0);
	hash_key_keep(vars->key);
	r->secret = vars->key;
	r->highest = &vars->highest;
	r->index = (struct index){.bucket = (struct index_bucket *)at(buckets, 0), .mask = cfg.mask, .outside = &vars->outside};
#ifndef OTHER_owner
	NAT_SET->capacity = &vars->capacity;
	NAT_SET->size = &vars->size;
#endif
	SELF(bindings)->secret = vars->key;
	if (NAT_BINDS)
		nat_bindings_open(SELF(bindings), cfg.numbers);
	SELF(reap_again)();
	return nat_open(r);
}

CLEANUP()
{
	nat_close(SELF(rewriter));
	nat_bindings_close(SELF(bindings));
#ifndef OTHER_owner
	nat_heap_close(&NAT_SET->unanswered);
	nat_heap_close(&NAT_SET->best_effort);
	nat_heap_close(&NAT_SET->guaranteed);
#endif
}

/* Change an input's specification, and end its flows. */
static void SELF(specify)(const struct nat_spec *spec)
{
	struct nat_spec *input = &SELF(rewriter)->input[spec->input];

	nat_end_input(SELF(rewriter), spec->input);
	*input = *spec;
}

/* The operations of _rewriter.py. */
CONTROL()
{
	if (op == SELF(SPECIFY))
		SELF(specify)((const struct nat_spec *)argument);
	else if (op == SELF(SHRINK))
		nat_shrink(NAT_SET, now(), argument, NAT_STEPS_ANY);
	else if (op == SELF(TAKE_OVER))
		nat_take_over(SELF(rewriter), *(const struct nat_flow **)argument, ((const __u64 *)argument)[1]);
	nat_show_size(NAT_SET);
	return 0;
}
