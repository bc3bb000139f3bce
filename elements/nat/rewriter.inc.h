/* The action of all rewriters. Included once for each instance, after its class has defined
 *
 *	bool SELF(parse)(struct pkt *p, struct nat_packet *n)		its headers and key; false if it is not to be rewritten
 *	__u8 SELF(track)(const struct nat_packet *n, const struct nat_target *t)	the flow's tracked state after the packet
 *	int SELF(keys)(...)						see struct nat_rewriter
 *	void SELF(apply)(struct pkt *p, struct nat_packet *n, const struct nat_target *t)	rewrites it
 *
 * The kernel path rewrites packets of known flows that don't change the flow's state; it hands over all others unchanged.
 */

#if USERSPACE
#include "nat/instance.inc.h"
#else
#include "tables/indexed.inc.h"
#endif

static __always_inline enum nat_found SELF(look)(const struct nat_key *key, struct nat_target *target, struct nat_flow **flow)
{
#if USERSPACE
	const __u32 found = nat_find(SELF(rewriter), key);
#else
	const struct SELF(vars) *vars = var(vars);
	const __u32 found = SELF(indexed)(nat_hash(vars->key, key));

	if (!found && vars->outside)
		return NAT_UNSURE;
#endif
	if (!found)
		return NAT_MISS;
	*flow = (struct nat_flow *)at(flows, found >> 1);
	return *flow && nat_read(*flow, found & 1, key, target) ? NAT_HIT : NAT_UNSURE;
}

/* For other elements, which declare this function: how this rewriter would change a packet that answers one of its flows. Fields
 * that it ignores are the packet's.
 */
static __always_inline enum nat_found SELF(foresee)(__u8 protocol, const struct nat_key *packet, struct nat_target *target)
{
	struct nat_key keys[2] = {};
	const int count = SELF(keys)(protocol, true, packet, keys);
	enum nat_found found = NAT_MISS;
	struct nat_flow *flow;

	if (count > 0)
		found = SELF(look)(&keys[0], target, &flow);
	if (count > 1 && found == NAT_MISS)
		found = SELF(look)(&keys[1], target, &flow);
	if (found != NAT_HIT)
		return found;
	if (protocol && target->protocol && target->protocol != protocol)
		return NAT_MISS;
	nat_complete(target, packet, cfg.uses_ports, cfg.uses_destination);
	return NAT_HIT;
}

static __always_inline void SELF(annotate)(struct pkt *p, const struct nat_target *target)
{
	if (cfg.dst_anno && (cfg.uses_destination || target->direction))
		pkt_set_dst_ip(p, target->daddr);
	if (cfg.reply_anno >= 0 && target->direction)
		pkt_set_anno_u8(p, cfg.reply_anno, target->reply_anno);
}

/* Whether a packet without a flow may begin one from outside: for TCP, it must open a connection (RFC 6146, 3.5.2.2). */
static __always_inline bool SELF(may_be_admitted)(const struct nat_packet *n)
{
	if (!cfg.admits || n->answers)
		return false;
	return !n->tcp || (n->tcp->flags & (TCP_SYN | TCP_ACK | TCP_RST)) == TCP_SYN;
}

ELEMENT(Rewriter)
{
	const struct SELF(inputs) *spec = at(inputs, input);
	struct nat_target target = {};
	struct nat_packet n = {};
	struct nat_flow *flow = NULL;
	enum nat_found found;

	if (!spec)
		return DROP(FILTERED);
	if (!SELF(parse)(p, &n))
		return spec->kind == NAT_PASS ? OUTPUT(spec->output[0]) : DROP(FILTERED);
	found = SELF(look)(&n.key, &target, &flow);
	if (found == NAT_MISS && n.has_second)
		found = SELF(look)(&n.second, &target, &flow);
	if (found == NAT_MISS && spec->kind == NAT_PASS)
		return OUTPUT(spec->output[0]);
	if (found == NAT_MISS && (spec->kind == NAT_DROP || n.answers)) {
		if (spec->kind != NAT_DROP || !SELF(may_be_admitted)(&n))
			return DROP(FILTERED);
#if USERSPACE
		flow = SELF(admit)(&n, &target);
		if (!flow)
			return DROP(FILTERED);
		found = NAT_HIT;
#endif
	}
#if USERSPACE
	if (found != NAT_HIT && !(flow = SELF(make)(p, input, &n, &target)))
		return DROP(FULL);
	if (!SELF(answer)(&n, flow, &target))
		return DROP(FULL);
	SELF(learn)(&n, flow, &target);
#else
	if (found != NAT_HIT || target.marks & NAT_SHIFTED || nat_is_answer(&target) || SELF(track)(&n, &target) != target.tracked)
		return PUNT;
#endif
	SELF(annotate)(p, &target);
	SELF(apply)(p, &n, &target);
#if USERSPACE
	SELF(shift)(&n, flow, &target);
#endif
	/* Packets from outside don't prolong a flow that the host hasn't answered. */
	if (!(target.marks & NAT_UNANSWERED))
		nat_touch(flow);
	return OUTPUT(target.output);
}
