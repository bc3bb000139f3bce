/* MLD snooping: tracks the ports of a switch with listeners to a group. The state is `groups` and `seen`. Included once for each
 * instance.
 */
#include "bridge/mld.h"

#define SNOOP_TICK 27	/* times are in units of 2^27 ns */

static __always_inline __u32 SELF(ticks)(void)
{
	return now_coarse() >> SNOOP_TICK;
}

/* A group's hash, never 0. Not inlined, to keep other packets fast. */
static __attribute__((noinline)) __u64 SELF(hash_of)(const struct SELF(vars) *vars, const __u8 *group)
{
	const __u64 one = word32(group) | (__u64)word32(group + 4) << 32;
	const __u64 other = word32(group + 8) | (__u64)word32(group + 12) << 32;

	return siphash13_2(vars->key, one, other) | 1;
}

static __always_inline __u32 SELF(place)(__u64 hash, int way)
{
	return ((__u32)(hash >> 32) & (cfg.buckets - 1)) * SELF(WAYS) + way;
}

/* The ports that have not expired, a bit for each. */
static __always_inline __u32 SELF(living)(const __u32 *until, __u32 ticks)
{
	__u32 ports = 0;

#pragma clang loop unroll(full)
	for (int port = 0; port < SELF(noutputs); port++)
		ports |= (__u32)(read_once(until[port]) >= ticks && until[port]) << port;
	return ports;
}

/* The ports with listeners to the group; 0 if none has been reported. */
static __always_inline __u32 SELF(listeners)(const struct SELF(vars) *vars, const __u8 *group, __u32 ticks)
{
	const __u64 hash = SELF(hash_of)(vars, group);

#pragma clang loop unroll(full)
	for (int way = 0; way < SELF(WAYS); way++) {
		const struct SELF(groups) *entry = at(groups, SELF(place)(hash, way));

		if (entry && read_once(entry->hash) == hash)
			return SELF(living)(entry->until, ticks);
	}
	return 0;
}

/* The ports for a packet to a group, except the one it came from. `message` is its MLD type, or 0. */
static __always_inline __u32 SELF(ports_for)(const struct SELF(vars) *vars, const struct ip6_header *ip, __u8 message, int input)
{
	const struct SELF(seen) *seen = at(seen, 0);
	const __u32 all = ((1u << SELF(noutputs)) - 1) & ~(1u << input), ticks = SELF(ticks)();
	__u32 routers, listeners;

	if (!seen || !ip6_is_multicast(ip->destination) || message == MLD_QUERY)
		return all;
	routers = SELF(living)(seen->routers, ticks);
	/* MLDv1 hosts suppress a report that they overhear, so a report goes to routers only, or nowhere while the switch itself asks;
	 * it goes to all ports if no querier is known.
	 */
	if (message)
		return routers || read_once(seen->asks) ? routers & all : all;
	if (mld_is_for_all(ip->destination))
		return all;
	listeners = SELF(listeners)(vars, ip->destination, ticks);
	if (!listeners && cfg.flood)
		return all;
	return (listeners | routers) & all;
}

/* The IPv6 header of a frame to an IPv6 multicast address, or NULL. */
static __always_inline const struct ip6_header *SELF(ip6_of)(struct pkt *p, const __u8 *header)
{
	if (word16(header) != htons(0x3333) || word16(header + 12) != htons(ETH_P_IPV6))
		return NULL;
	return pkt_data(p, MLD_AT, sizeof(struct ip6_header));
}

#if USERSPACE

/* The tick at which a time from now is over, rounded up. */
static __u32 SELF(in)(__u64 nanoseconds)
{
	return SELF(ticks)() + (nanoseconds >> SNOOP_TICK) + 1;
}

/* Whether a packet has a router alert for MLD (RFC 2711); without one, routers need not look into the packet. */
static bool SELF(is_alert)(struct pkt *p)
{
	const __u8 *options = pkt_data(p, MLD_AT + sizeof(struct ip6_header), 8);
	const int end = (options[1] + 1) * 8;

	options = pkt_data(p, MLD_AT + sizeof(struct ip6_header), end);
	for (int at = 2; options && at + 1 < end; at += options[at] ? options[at + 1] + 2 : 1)
		if (options[at] == 5 && options[at + 1] == 2 && at + 3 < end)
			return !options[at + 2] && !options[at + 3];
	return false;
}

/* Whether a message has the right destination: the group for a group query, all nodes for a general query (RFC 2710, 5; RFC 3810,
 * 5.1.15), and the matching Ethernet address (RFC 2464, 7). Otherwise a query that never reaches the listeners could make the
 * switch forget them.
 */
static bool SELF(is_addressed)(struct pkt *p, const struct ip6_header *ip, int at, __u8 type)
{
	static const __u8 all_nodes[16] = {0xff, 2, [15] = 1};
	const struct mld_message *query = pkt_data(p, at, sizeof(*query));
	const __u8 *header = pkt_data(p, 0, ETH_HLEN);

	if (word32(header + 2) != word32(ip->destination + 12))
		return false;
	return type != MLD_QUERY || ip6_equal(ip->destination, ip6_is_zero(query->group) ? all_nodes : query->group);
}

/* RFC 3810, 5.1.14, 5.2.13 and 6.2; RFC 3590: hosts without an address report from ::. */
static bool SELF(is_valid)(struct pkt *p, const struct ip6_header *ip, int at, __u8 type)
{
	const int length = MLD_AT + (int)sizeof(*ip) + ntohs(ip->length) - at;
	const bool is_local = (word16(ip->source) & htons(0xffc0)) == htons(0xfe80);
	__u64 sum;

	if (ip->hops != 1 || ip6_version(ip) != 6 || length < (int)sizeof(struct mld_report2))
		return false;
	if (!is_local && (type == MLD_QUERY || type == MLD_DONE || !ip6_is_zero(ip->source)))
		return false;
	if (type != MLD_REPORT2 && length < (int)sizeof(struct mld_message))
		return false;
	if (!SELF(is_addressed)(p, ip, at, type))
		return false;
	sum = ip6_pseudo_sum(ip->source, ip->destination, length, IP6_ICMP);
	return sum_bytes(p, at, length, &sum) && checksum_is_right(sum) && SELF(is_alert)(p);
}

/* A group's claim to its place: the owning port, how many other ports listen, and when the group expires. */
struct SELF(claim) {
	__u32 owner, others;
	__u64 last;
};

static struct SELF(claim) SELF(claim_of)(const struct SELF(groups) *entry, __u32 ticks)
{
	struct SELF(claim) claim = {.owner = entry->owner};

	for (int port = 0; port < SELF(noutputs); port++) {
		if (!entry->until[port] || entry->until[port] < ticks)
			continue;
		claim.others += (__u32)port != entry->owner;
		claim.last = entry->until[port] > claim.last ? entry->until[port] : claim.last;
	}
	return claim;
}

/* The place in a full bucket to reuse for a port's new group: one of the port with the most places there, preferring the port
 * itself in a tie.
 */
static int SELF(loser)(const struct SELF(claim) *claims, __u32 port)
{
	__u32 held[SELF(WAYS)] = {}, own = 0, most;
	int best = -1;

	for (int way = 0; way < SELF(WAYS); way++) {
		own += claims[way].owner == port;
		for (int other = 0; other < SELF(WAYS); other++)
			held[way] += claims[other].owner == claims[way].owner;
	}
	most = own;
	for (int way = 0; way < SELF(WAYS); way++)
		most = held[way] > most ? held[way] : most;
	for (int way = 0; way < SELF(WAYS); way++) {
		const struct SELF(claim) *claim = &claims[way];

		if (held[way] < most || (own == most && claim->owner != port))
			continue;
		if (best < 0 || claim->others < claims[best].others ||
		    (claim->others == claims[best].others && claim->last < claims[best].last))
			best = way;
	}
	return best;
}

/* The group's entry, or NULL. */
static struct SELF(groups) *SELF(entry_of)(__u64 hash)
{
	for (int way = 0; way < SELF(WAYS); way++) {
		struct SELF(groups) *entry = at(groups, SELF(place)(hash, way));

		if (entry->hash == hash)
			return entry;
	}
	return NULL;
}

/* Find an entry for a new group: a free place, or else one taken from another group. */
static struct SELF(groups) *SELF(make_place)(struct pkt *p, __u64 hash, __u32 port)
{
	struct SELF(claim) claims[SELF(WAYS)];
	const __u32 ticks = SELF(ticks)();

	for (int way = 0; way < SELF(WAYS); way++) {
		struct SELF(groups) *entry = at(groups, SELF(place)(hash, way));

		claims[way] = SELF(claim_of)(entry, ticks);
		if (!entry->hash || !claims[way].last)
			return entry;
	}
	count(counters, evicted, 1);
	return at(groups, SELF(place)(hash, SELF(loser)(claims, port)));
}

/* Initialise the entry for a group, without listeners yet. */
static void SELF(begin)(struct SELF(groups) *entry, const __u8 *group, __u32 owner)
{
	write_once(entry->hash, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (int port = 0; port < SELF(noutputs); port++)
		write_once(entry->until[port], 0);
	ip6_copy(entry->group, group);
	entry->owner = owner;
}

/* Take over a group of a replaced router's switch; that switch's ports may differ. */
static void SELF(take)(const struct SELF(groups) *before)
{
	const __u64 hash = SELF(hash_of)(var(vars), before->group);
	const __u32 ports = SELF(living)(before->until, SELF(ticks)());
	const __u32 owner = ports >> before->owner & 1 ? before->owner : (__u32)__builtin_ctz(ports ?: 1);
	struct SELF(groups) *entry;

	if (!ports)
		return;
	entry = SELF(make_place)(NULL, hash, owner);
	SELF(begin)(entry, before->group, owner);
	for (int port = 0; port < SELF(noutputs); port++)
		write_once(entry->until[port], before->until[port]);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(entry->hash, hash);
}

static void SELF(join)(struct pkt *p, const struct SELF(vars) *vars, const __u8 *group, int port)
{
	const __u64 hash = SELF(hash_of)(vars, group);
	struct SELF(groups) *entry;

	if (!ip6_is_multicast(group) || mld_is_for_all(group))
		return;
	entry = SELF(entry_of)(hash);
	if (!entry) {
		entry = SELF(make_place)(p, hash, port);
		SELF(begin)(entry, group, port);
	} else if (entry->until[entry->owner] < SELF(ticks)()) {
		entry->owner = port;
	}
	write_once(entry->until[port], SELF(in)(cfg.group_timeout));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	write_once(entry->hash, hash);
}

/* A maximum response delay in milliseconds; codes from 32768 on are floating point (RFC 3810, 5.1.3). */
static __u32 SELF(delay)(__u16 code)
{
	return code < 0x8000 ? code : (0x1000u | (code & 0xfff)) << ((code >> 12 & 7) + 3);
}

#ifdef SWITCH_STARTS
#include "bridge/querier.inc.h"
#endif

/* Queries come only from routers. A query for one group follows a listener's leaving: expect others to answer soon (RFC 3810,
 * 7.6.3.2).
 */
static void SELF(take_query)(struct pkt *p, const struct SELF(vars) *vars, int at, int length, int port)
{
	const struct mld_query2 *query = pkt_data(p, at, length >= (int)sizeof(*query) ? sizeof(*query) : sizeof(query->first));
	const bool is_second = length >= (int)sizeof(*query);
	struct SELF(groups) *entry;
	__u32 soon;
	__u64 hash;

	write_once(at(seen, 0)->routers[port], SELF(in)(cfg.router_timeout));
	if (ip6_is_zero(query->first.group) || (is_second && (query->flags & MLD_SUPPRESS || query->sources)))
		return;
	hash = SELF(hash_of)(vars, query->first.group);
	entry = SELF(entry_of)(hash);
	soon = SELF(in)(SELF(ROBUSTNESS) * 1000000ull *
			(is_second ? SELF(delay)(ntohs(query->first.delay)) : ntohs(query->first.delay)));
	for (int other = 0; entry && other < SELF(noutputs); other++)
		if (other != port && entry->until[other] > soon)
			write_once(entry->until[other], soon);
}

/* A listener has left: if the switch is the querier, query the group. */
static void SELF(part)(const struct SELF(vars) *vars, const __u8 *group, int port)
{
#ifdef SWITCH_STARTS
	SELF(hear_part)(SELF(entry_of)(SELF(hash_of)(vars, group)), port);
#endif
}

/* Sources aren't distinguished: a listener to some sources counts as a listener to the group. */
static bool SELF(listens)(const struct mld_record *record)
{
	switch (record->type) {
	case MLD_IS_EXCLUDE:
	case MLD_TO_EXCLUDE:
		return true;
	case MLD_IS_INCLUDE:
	case MLD_TO_INCLUDE:
	case MLD_ALLOW:
		return record->sources;
	}
	return false;
}

static void SELF(take_report2)(struct pkt *p, const struct SELF(vars) *vars, int at, int length, int port)
{
	const struct mld_report2 *report = pkt_data(p, at, sizeof(*report));
	const int end = at + length;
	int left = ntohs(report->records);

	for (at += sizeof(*report); left-- && at + (int)sizeof(struct mld_record) <= end;) {
		const struct mld_record *record = pkt_data(p, at, sizeof(*record));

		if (SELF(listens)(record))
			SELF(join)(p, vars, record->group, port);
		else if (record->type == MLD_TO_INCLUDE)
			SELF(part)(vars, record->group, port);
		at += sizeof(*record) + 16 * ntohs(record->sources) + 4 * record->words;
	}
}

/* Learn from a message. A Done message changes nothing until the querier's next query says how long to wait for other listeners. */
static void SELF(take_message)(struct pkt *p, const struct ip6_header *ip, int at, __u8 type, int port)
{
	const int length = MLD_AT + (int)sizeof(*ip) + ntohs(ip->length) - at;
	const struct SELF(vars) *vars = var(vars);

	if (!SELF(is_valid)(p, ip, at, type))
		return;
	lock();
#ifdef SWITCH_STARTS
	if (type == MLD_QUERY)
		SELF(hear_query)(ip);
#endif
	if (type == MLD_QUERY)
		SELF(take_query)(p, vars, at, length, port);
	else if (type == MLD_REPORT)
		SELF(join)(p, vars, ((const struct mld_message *)pkt_data(p, at, sizeof(struct mld_message)))->group, port);
	else if (type == MLD_DONE)
		SELF(part)(vars, ((const struct mld_message *)pkt_data(p, at, sizeof(struct mld_message)))->group, port);
	else if (type == MLD_REPORT2)
		SELF(take_report2)(p, vars, at, length, port);
	unlock();
}

#endif
