/* An MLD querier for networks without a multicast router (RFC 4541, 2.1.1; RFC 3810, 7). Runtime only. The state is `seen`,
 * `asking` and `counters`. Included once for each instance with a QUERIER.
 */
#include "ip6/nd.h"

#define QUERY_SECOND 1000000000ull
#define QUERY_EVERY 125			/* seconds, RFC 3810's default (9.2) */
#define QUERY_DELAY 10000		/* milliseconds to answer a general query (9.3); the next is for a group query (9.8) */
#define QUERY_LAST_DELAY 1000
#define QUERY_GROUPS 64			/* groups with queries in progress */

struct SELF(query) {
	struct ethhdr ether;
	struct ip6_header ip;
	__u8 options[8];
	struct mld_query2 mld;
} __attribute__((packed, aligned(2)));

/* A group to query at a port for remaining listeners, `left` more times. */
struct SELF(question) {
	__u8 group[16];
	__u64 due;
	__u32 port, left;
};

struct SELF(questions) {
	struct SELF(question) of[QUERY_GROUPS];
};

LASTING(struct SELF(questions), questions);

/* Send a query for a group, or a general query if it is all zeros, by these ports, a bit for each. */
static void SELF(ask)(const __u8 *group, __u16 delay, __u32 ports)
{
	static const __u8 all_nodes[16] = {0xff, 2, [15] = 1}, options[8] = {IP6_ICMP, 0, 5, 2, 0, 0, 1, 0};
	struct SELF(query) made = {
		.ip = {.first = htonl(6u << 28), .length = htons(sizeof(made.options) + sizeof(made.mld)), .next = IP6_HOP_BY_HOP, .hops = 1},
		.mld = {.first = {.type = MLD_QUERY, .delay = htons(delay)}, .flags = SELF(ROBUSTNESS), .interval = QUERY_EVERY},
	};

	made.ether.h_proto = htons(ETH_P_IPV6);
	ether_copy(made.ether.h_source, cfg.querier);
	ip6_copy(made.ip.source, cfg.querier_address);
	ip6_copy(made.ip.destination, ip6_is_zero(group) ? all_nodes : group);
	nd_group_ether(made.ether.h_dest, made.ip.destination);
	memcpy(made.options, options, sizeof(options));
	ip6_copy(made.mld.first.group, group);
	made.mld.first.checksum = nd_checksum(&made.ip, &made.mld, sizeof(made.mld));
	for (int port = 0; port < SELF(noutputs); port++) {
		struct pkt *p = ports >> port & 1 ? pkt_new(PKT_HEADROOM, sizeof(made)) : NULL;

		if (!p)
			continue;
		memcpy(pkt_data(p, 0, sizeof(made)), &made, sizeof(made));
		pkt_set_mac_header(p, 0);
		pkt_set_network_header(p, ETH_HLEN);
		count(counters, queries, 1);
		emit(p, port);
	}
}

/* Arm TIMER for the next query. */
static void SELF(sleep)(void)
{
	__u64 next = private(asking)->due;

	for (int i = 0; i < QUERY_GROUPS; i++)
		if (SELF(questions)->of[i].left && SELF(questions)->of[i].due < next)
			next = SELF(questions)->of[i].due;
	timer_at(next);
}

static void SELF(start)(void)
{
	private(asking)->due = now();
	private(asking)->sent = 0;
	write_once(at(seen, 0)->asks, 1);
	memset(SELF(questions), 0, sizeof(*SELF(questions)));
	SELF(sleep)();
}

/* Take a valid query. The querier with the lowest address wins the election (RFC 3810, 7.6.2). When it falls silent, the switch
 * asks again.
 */
static void SELF(hear_query)(const struct ip6_header *ip)
{
	if (memcmp(ip->source, cfg.querier_address, 16) >= 0)
		return;
	write_once(at(seen, 0)->asks, 0);
	private(asking)->due = now() + cfg.router_timeout;
	memset(SELF(questions), 0, sizeof(*SELF(questions)));
	SELF(sleep)();
}

/* A listener at a port has left. If the port was known to listen, give other listeners there time to report (RFC 3810, 7.6.3.1). */
static void SELF(hear_part)(struct SELF(groups) *entry, int port)
{
	const __u32 soon = SELF(in)(SELF(ROBUSTNESS) * QUERY_SECOND * QUERY_LAST_DELAY / 1000);

	if (!at(seen, 0)->asks || !entry || entry->until[port] <= soon)
		return;
	for (int i = 0; i < QUERY_GROUPS; i++) {
		struct SELF(question) *question = &SELF(questions)->of[i];

		if (question->left)
			continue;
		*question = (struct SELF(question)){.due = now(), .port = port, .left = SELF(ROBUSTNESS)};
		ip6_copy(question->group, entry->group);
		write_once(entry->until[port], soon);
		break;
	}
	SELF(sleep)();
}

/* Whether a general query is due: twice at startup, then periodically (RFC 3810, 7.1, 9.6 and 9.7). */
static bool SELF(asks_all)(__u64 time)
{
	struct SELF(asking) *asking = private(asking);

	if (asking->due > time)
		return false;
	write_once(at(seen, 0)->asks, 1);
	if (asking->sent < SELF(ROBUSTNESS))
		asking->sent++;
	asking->due = time + QUERY_EVERY * QUERY_SECOND / (asking->sent < SELF(ROBUSTNESS) ? 4 : 1);
	return true;
}

/* Find the next group query that is due. */
static bool SELF(next_question)(__u64 time, struct SELF(question) *found)
{
	for (int i = 0; i < QUERY_GROUPS; i++) {
		struct SELF(question) *question = &SELF(questions)->of[i];

		if (!question->left || question->due > time)
			continue;
		*found = *question;
		question->due = time + QUERY_LAST_DELAY * QUERY_SECOND / 1000;
		question->left--;
		return true;
	}
	return false;
}

/* Send packets without holding the lock. */
TIMER()
{
	static const __u8 all[16];
	const __u64 time = now();
	struct SELF(question) found;
	bool asks;

	lock();
	asks = SELF(asks_all)(time);
	unlock();
	if (asks)
		SELF(ask)(all, QUERY_DELAY, (1u << SELF(noutputs)) - 1);
	for (;;) {
		lock();
		asks = SELF(next_question)(time, &found);
		unlock();
		if (!asks)
			break;
		SELF(ask)(found.group, QUERY_LAST_DELAY, 1u << found.port);
	}
	lock();
	SELF(sleep)();
	unlock();
}

#undef QUERY_SECOND
#undef QUERY_EVERY
#undef QUERY_DELAY
#undef QUERY_LAST_DELAY
#undef QUERY_GROUPS
