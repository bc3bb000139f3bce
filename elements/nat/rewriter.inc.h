/* The action of all rewriters. Included once for each instance, after its class has defined
 *
 *	bool SELF(parse)(struct pkt *p, struct nat_packet *n)		its headers and key; false if it is not to be rewritten
 *	__u8 SELF(track)(const struct nat_packet *n, const struct nat_target *t)	the flow's tracked state after the packet
 *	int SELF(keys)(...)						see struct nat_rewriter
 *	void SELF(apply)(struct pkt *p, struct nat_packet *n, const struct nat_target *t)	rewrites it
 *
 * Packets of known flows that don't change the flow's state are rewritten without a lock: SELF(known)(). All others the kernel path hands
 * over unchanged, and the runtime treats them with the lock of all elements that work on these flows.
 */

#include "tables/indexed.inc.h"
#if USERSPACE
#include "nat/instance.inc.h"
#endif

/* A look-up without the lock, which may find no flow where there is one. */
static __always_inline enum nat_found SELF(peek)(const struct nat_key *key, struct nat_target *target, struct nat_flow **flow)
{
	const struct SELF(vars) *vars = var(vars);
	const __u32 found = SELF(indexed)(nat_hash(vars->key, key));

	if (!found)
		return read_once(vars->outside) ? NAT_UNSURE : NAT_MISS;
	*flow = (struct nat_flow *)at(flows, found >> 1);
	return *flow && nat_read(*flow, found & 1, key, target) ? NAT_HIT : NAT_UNSURE;
}

/* The same with the lock; in the kernel path, which has none, the only one. */
static __always_inline enum nat_found SELF(look)(const struct nat_key *key, struct nat_target *target, struct nat_flow **flow)
{
#if USERSPACE
	const __u32 found = nat_find(SELF(rewriter), key);

	if (!found)
		return NAT_MISS;
	*flow = (struct nat_flow *)at(flows, found >> 1);
	return *flow && nat_read(*flow, found & 1, key, target) ? NAT_HIT : NAT_UNSURE;
#else
	return SELF(peek)(key, target, flow);
#endif
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

/* Whether the packet belongs to a known flow, and changes no more of it than the time of its last packet. Sets *found. */
static __always_inline bool SELF(known)(const struct nat_packet *n, struct nat_target *target, struct nat_flow **flow,
					enum nat_found *found)
{
	*found = SELF(peek)(&n->key, target, flow);
	if (*found == NAT_MISS && n->has_second)
		*found = SELF(peek)(&n->second, target, flow);
	return *found == NAT_HIT && !(target->marks & NAT_SHIFTED) && !nat_is_answer(target) && SELF(track)(n, target) == target->tracked;
}

static __always_inline int SELF(rewrite)(struct pkt *p, struct nat_packet *n, const struct nat_target *target, struct nat_flow *flow)
{
	SELF(annotate)(p, target);
	SELF(apply)(p, n, target);
#if USERSPACE
	if (target->marks & NAT_SHIFTED)
		SELF(shift)(n, flow, target);
#endif
	/* Packets from outside don't prolong a flow that the host hasn't answered. */
	if (!(target->marks & NAT_UNANSWERED))
		nat_touch(flow);
	return OUTPUT(target->output);
}

/* The result for a packet without a flow that doesn't begin one. */
static __always_inline bool SELF(ends)(const struct SELF(inputs) *spec, const struct nat_packet *n, int *result)
{
	*result = spec->kind == NAT_PASS ? OUTPUT(spec->output[0]) : DROP(FILTERED);
	return spec->kind == NAT_PASS || ((spec->kind == NAT_DROP || n->answers) && (spec->kind != NAT_DROP || !SELF(may_be_admitted)(n)));
}

#if USERSPACE
/* The same for any packet, with the lock. */
static int SELF(settle)(struct pkt *p, int input, struct nat_packet *n, const struct SELF(inputs) *spec)
{
	struct nat_target target = {};
	struct nat_flow *flow = NULL;
	enum nat_found found;
	int result;

	found = SELF(look)(&n->key, &target, &flow);
	if (found == NAT_MISS && n->has_second)
		found = SELF(look)(&n->second, &target, &flow);
	if (found == NAT_MISS && SELF(ends)(spec, n, &result))
		return result;
	if (found == NAT_MISS && spec->kind == NAT_DROP) {
		flow = SELF(admit)(n, &target);
		if (!flow)
			return DROP(FILTERED);
	} else if (found != NAT_HIT && !(flow = SELF(make)(p, input, n, &target))) {
		return DROP(FULL);
	}
	if (!SELF(answer)(n, flow, &target))
		return DROP(FULL);
	SELF(learn)(n, flow, &target);
	return SELF(rewrite)(p, n, &target, flow);
}
#endif

ELEMENT(Rewriter)
{
	const struct SELF(inputs) *spec = at(inputs, input);
	struct nat_target target = {};
	struct nat_packet n = {};
	struct nat_flow *flow = NULL;
	enum nat_found found;
	int result;

	if (!spec)
		return DROP(FILTERED);
	if (!SELF(parse)(p, &n))
		return spec->kind == NAT_PASS ? OUTPUT(spec->output[0]) : DROP(FILTERED);
	if (SELF(known)(&n, &target, &flow, &found))
		return SELF(rewrite)(p, &n, &target, flow);
#if USERSPACE
	lock();
	result = SELF(settle)(p, input, &n, spec);
	unlock();
	return result;
#else
	return found == NAT_MISS && SELF(ends)(spec, &n, &result) ? result : PUNT;
#endif
}
