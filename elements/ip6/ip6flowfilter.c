#include "ip6/icmp6.h"
#include "siphash.h"

#define ERROR_HEADER 8	/* bytes of an ICMPv6 error before the packet in it */

/* A slot's `life` is its expiry time, in units of 2^30 ns, above two flags of the connection. The hash of a free slot is 0. */
#define TICK 30
#define ESTABLISHED 1
#define CLOSING 2
#define FLAGS 3
#define LIFE_SHIFT 2

/* The filter's kinds of packets. */
enum {
	SELF(NO_FLOW),		/* it belongs to no flow and begins none */
	SELF(FLOW),
	SELF(ERROR),		/* an ICMPv6 error about a packet of a flow */
};

struct SELF(flow) {
	__u64 words[5];		/* addresses inside and outside, ports and protocol */
	__u8 protocol, flags;	/* of TCP */
	bool begins;		/* from inside: may begin a flow */
};

/* Not inlined, since the caller's fast path would have it twice. */
static __attribute__((noinline)) __u64 SELF(hash)(const struct SELF(vars) *vars, const struct SELF(flow) *flow)
{
	return siphash(vars->key, flow->words, 5, 1, 3) | 1;
}

static __always_inline void SELF(set_addresses)(struct SELF(flow) *flow, const __u8 *inside, const __u8 *outside)
{
	flow->words[0] = ip6_high(inside);
	flow->words[1] = ip6_low(inside);
	flow->words[2] = ip6_high(outside);
	flow->words[3] = ip6_low(outside);
}

/* Set the ports, or an echo's identifier in place of both. False if they are missing, or if the message belongs to no flow. */
static __always_inline bool SELF(set_ports)(struct pkt *p, const struct ip6_inner *inner, bool from_inside, struct SELF(flow) *flow)
{
	__u32 ports = 0;
	const __u8 *at;

	flow->protocol = inner->protocol;
	switch (inner->protocol) {
	case PROTOCOL_TCP:
	case PROTOCOL_UDP:
	case PROTOCOL_UDPLITE:
	case PROTOCOL_DCCP:
	case PROTOCOL_SCTP:
		at = pkt_network_data(p, inner->offset, 4);
		if (!at)
			return false;
		ports = from_inside ? word16(at) | (__u32)word16(at + 2) << 16 : word16(at + 2) | (__u32)word16(at) << 16;
		break;
	case IP6_ICMP:
		at = pkt_network_data(p, inner->offset, ERROR_HEADER);
		if (!at || *at != (from_inside ? ICMP6_ECHO : ICMP6_ECHO_REPLY))
			return false;
		ports = word16(at + 4) | (__u32)word16(at + 4) << 16;
		break;
	}
	flow->words[4] = ports | (__u64)flow->protocol << 32;
	return true;
}

static __always_inline bool SELF(set_flags)(struct pkt *p, const struct ip6_inner *inner, struct SELF(flow) *flow)
{
	const __u8 *tcp;

	flow->flags = 0;
	flow->begins = true;
	if (inner->protocol != PROTOCOL_TCP)
		return true;
	tcp = pkt_network_data(p, inner->offset, sizeof(struct tcp_header));
	if (!tcp)
		return false;
	flow->flags = tcp[13];
	flow->begins = !(flow->flags & TCP_RST);
	return true;
}

/* The flow of the packet quoted in an error from outside, which went out. */
static __always_inline int SELF(name_error)(struct pkt *p, const struct ip6_header *ip, const struct ip6_inner *inner, struct SELF(flow) *flow)
{
	const struct ip6_header *quoted = pkt_network_data(p, inner->offset + ERROR_HEADER, sizeof(*quoted));
	struct ip6_inner within;

	if (!quoted || !ip6_equal(quoted->source, ip->destination))
		return SELF(NO_FLOW);
	SELF(set_addresses)(flow, quoted->source, quoted->destination);
	within = (struct ip6_inner){.protocol = quoted->next, .offset = inner->offset + ERROR_HEADER + (int)sizeof(*quoted)};
	if (ip6_is_extension(within.protocol))
		ip6_walk_chain(p, &within);
	if (within.protocol < 0 || within.later || !SELF(set_ports)(p, &within, true, flow))
		return SELF(NO_FLOW);
	return SELF(ERROR);
}

static __always_inline int SELF(name_flow)(struct pkt *p, const struct ip6_header *ip, bool from_inside, struct SELF(flow) *flow)
{
	const struct ip6_inner inner = ip6_walk(p, ip);
	const struct icmp6_header *icmp = ip6_inner_header(p, &inner, IP6_ICMP, sizeof(*icmp));

	if (inner.protocol < 0 || inner.later)
		return SELF(NO_FLOW);
	if (icmp && icmp6_is_error(icmp->type))
		return from_inside ? SELF(NO_FLOW) : SELF(name_error)(p, ip, &inner, flow);
	SELF(set_addresses)(flow, from_inside ? ip->source : ip->destination, from_inside ? ip->destination : ip->source);
	if (!SELF(set_ports)(p, &inner, from_inside, flow) || !SELF(set_flags)(p, &inner, flow))
		return SELF(NO_FLOW);
	return SELF(FLOW);
}

/* -- the table ------------------------------------------------------------------------------------------------------ */

static __always_inline __u64 SELF(ticks)(void)
{
	return now_coarse() >> TICK;
}

static __always_inline bool SELF(is_over)(__u64 life, __u64 ticks)
{
	return life >> LIFE_SHIFT < ticks;
}

static __always_inline __u32 SELF(number_of)(__u64 hash)
{
	return (__u32)(hash >> 32) & (cfg.count - 1);
}

static __always_inline struct SELF(buckets) *SELF(bucket_of)(__u64 hash)
{
	return at(buckets, SELF(number_of)(hash));
}

/* The place of the flow's life, or NULL. */
static __always_inline __u64 *SELF(find)(struct SELF(buckets) *bucket, __u64 hash, __u64 ticks)
{
#pragma clang loop unroll(full)
	for (int i = 0; i < SELF(WAYS); i++)
		if (read_once(bucket->hash[i]) == hash)
			return SELF(is_over)(read_once(bucket->life[i]), ticks) ? NULL : &bucket->life[i];
	return NULL;
}

/* RFC 6092, 3.3.1: a connection is established when both sides have answered; a single FIN or RST ends it. */
static __always_inline __u64 SELF(life_after)(__u64 life, const struct SELF(flow) *flow, bool from_inside, __u64 ticks)
{
	__u64 flags = life & FLAGS;

	if (flow->protocol != PROTOCOL_TCP)
		return (ticks + cfg.idle) << LIFE_SHIFT;
	if (from_inside && (flow->flags & (TCP_SYN | TCP_ACK)) == TCP_SYN)
		flags = 0;
	if (!from_inside && flow->flags & TCP_ACK)
		flags |= ESTABLISHED;
	if (flow->flags & (TCP_FIN | TCP_RST))
		flags |= CLOSING;
	return (ticks + (flags == ESTABLISHED ? cfg.tcp_idle : cfg.tcp_short)) << LIFE_SHIFT | flags;
}

#if USERSPACE
#include "ip6/flowshares.inc.h"

/* Enters a flow into a free slot, or replaces one that has ended, or the one that would end first. */
static void SELF(insert)(struct pkt *p, struct SELF(buckets) *bucket, __u64 hash, __u64 life, __u64 host, __u64 ticks)
{
	int slot = 0;

	for (int i = 0; i < SELF(WAYS); i++) {
		if (!bucket->hash[i] || bucket->hash[i] == hash) {
			slot = i;
			break;
		}
		if (bucket->life[i] >> LIFE_SHIFT < bucket->life[slot] >> LIFE_SHIFT)
			slot = i;
	}
	if (bucket->hash[slot] && bucket->hash[slot] != hash && !SELF(is_over)(bucket->life[slot], ticks))
		count(counters, evicted, 1);
	write_once(bucket->hash[slot], 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(bucket->life[slot], life);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(bucket->hash[slot], hash);
	SELF(own)(SELF(number_of)(hash), slot, host);
}
#endif

/* -- packets -------------------------------------------------------------------------------------------------------- */

static __always_inline int SELF(refuse)(struct pkt *p)
{
	count(counters, refused, pkt_packets(p));
	return SELF(noutputs) == 3 ? OUTPUT(2) : DROP(FILTERED);
}

ELEMENT(IP6FlowFilter)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(vars) *vars = var(vars);
	const bool from_inside = input == 0;
	struct SELF(buckets) *bucket;
	struct SELF(flow) flow = {};
	__u64 hash, *life, next, ticks;
#if USERSPACE
	__u64 host;
#endif
	int what;

	if (!ip)
		return DROP_WITHOUT_HEADER(p);
	what = SELF(name_flow)(p, ip, from_inside, &flow);
	if (what == SELF(NO_FLOW))
		return from_inside ? OUTPUT(0) : SELF(refuse)(p);
	hash = SELF(hash)(vars, &flow);
	bucket = SELF(bucket_of)(hash);
	if (!bucket)
		return DROP(MALFORMED);
	ticks = SELF(ticks)();
	life = SELF(find)(bucket, hash, ticks);
	if (!life && !from_inside && (USERSPACE || !read_once(vars->moving)))
		return SELF(refuse)(p);
	if (life ? what == SELF(ERROR) : from_inside && !flow.begins)
		return OUTPUT(input);
	next = SELF(life_after)(life ? read_once(*life) : 0, &flow, from_inside, ticks);
	if (life) {
		if (read_once(*life) != next)
			write_once(*life, next);
		return OUTPUT(input);
	}
#if USERSPACE
	host = SELF(host_of)(ip->source);
	if (SELF(may_have_more)(host, ticks))
		SELF(insert)(p, bucket, hash, next, host, ticks);
	else
		count(counters, beyond, 1);
	return OUTPUT(0);
#else
	return PUNT;
#endif
}
