/* Linux's routes (routes.h). */
#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "linux/attributes.h"
#include "linux/gateway.h"
#include "routestructures.h"
#include "linux/routes.h"

#define SOON 10000000ll		/* ns within which related changes arrive */
#define NO_LIMIT 0xffffffffu

static __u32 number_of(const struct nlattr *attribute, __u32 otherwise)
{
	return attribute ? mnl_attr_get_u32(attribute) : otherwise;
}

void routes_stale(struct routes *r, __s64 time)
{
	const __s64 rested = r->asked + 3 * r->took;

	if (!r->due)
		r->due = rested > time + SOON ? rested : time + SOON;
}

/* -- hops -------------------------------------------------------------------------------------------------------------- */

/* The output for a device; -1 if it isn't the router's, or is down. */
static int port_of(const struct routes *r, __u32 index)
{
	for (__u32 i = 0; i < r->ports; i++)
		if (r->port[i].index == index)
			return r->port[i].is_up ? (int)i : -1;
	return -1;
}

static __u32 route_mtu(const struct nlattr *metrics)
{
	struct attributes found = { 0 };

	if (metrics)
		mnl_attr_parse_nested(metrics, attributes_note, &found);
	return number_of(found.of[RTAX_MTU], NO_LIMIT);
}

/* The gateway of a next hop, if any; false if it is of an unsupported kind. */
static bool gateway_of(const struct routes *r, const struct attributes *found, __u8 *address)
{
	const struct nlattr *gateway = found->of[RTA_GATEWAY];
	const struct rtvia *via = found->of[RTA_VIA] ? mnl_attr_get_payload(found->of[RTA_VIA]) : NULL;

	if (gateway)
		memcpy(address, mnl_attr_get_payload(gateway), r->family == AF_INET ? 4 : 16);
	if (!via)
		return true;
	if (via->rtvia_family != AF_INET6)
		return false;
	memcpy(address, via->rtvia_addr, 16);
	return gateway_is_ip6(address) && memcmp(address, (__u8[4]){ 0 }, 4);
}

/* The hop for a single next hop. */
static __u32 way(struct routes *r, const struct attributes *found, __u32 index, __u32 mtu, __s64 time)
{
	const int port = port_of(r, index);
	__u8 address[16] = { 0 };

	if (port < 0 || found->of[RTA_ENCAP] || !gateway_of(r, found, address)) {
		r->stats->unmirrored += port >= 0;
		return HOP_LINUX;
	}
	return hops_get(&r->hops, HOP_PLAIN, port, mtu < r->port[port].mtu ? mtu : r->port[port].mtu, address, time);
}

static __u32 ways(struct routes *r, const struct nlattr *list, __u32 mtu, __u32 old, __s64 time)
{
	struct hop_member member[HOP_MOST_MEMBERS];
	const struct rtnexthop *next = mnl_attr_get_payload(list);
	int rest = mnl_attr_get_payload_len(list);
	__u32 members = 0;

	for (; RTNH_OK(next, rest); rest -= RTNH_ALIGN(next->rtnh_len), next = RTNH_NEXT(next)) {
		struct attributes found = { 0 };

		if (next->rtnh_flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN))
			continue;
		if (members == HOP_MOST_MEMBERS) {
			while (members--)
				hops_put(&r->hops, member[members].hop, time);
			r->stats->unmirrored++;
			return HOP_LINUX;
		}
		mnl_attr_parse_payload(RTNH_DATA(next), next->rtnh_len - RTNH_LENGTH(0), attributes_note, &found);
		member[members].hop = way(r, &found, next->rtnh_ifindex, mtu, time);
		member[members++].weight = next->rtnh_hops + 1;
	}
	if (members < 2)
		return members ? member[0].hop : HOP_LINUX;
	return hops_group(&r->hops, member, members, old, time);
}

static __u32 hop_of(struct routes *r, const struct rtmsg *message, const struct attributes *found, __u32 old, __s64 time)
{
	static const __u8 none[16];
	const __u32 mtu = route_mtu(found->of[RTA_METRICS]);

	if (message->rtm_type == RTN_BLACKHOLE)
		return hops_get(&r->hops, HOP_BLACKHOLE, -1, 0, none, time);
	if (message->rtm_type != RTN_UNICAST)
		return HOP_LINUX;
	if (message->rtm_src_len || message->rtm_flags & RTNH_F_DEAD) {
		r->stats->unmirrored++;
		return HOP_LINUX;
	}
	if (found->of[RTA_MULTIPATH])
		return ways(r, found->of[RTA_MULTIPATH], mtu, old, time);
	return way(r, found, number_of(found->of[RTA_OIF], 0), mtu, time);
}

/* -- the trie ---------------------------------------------------------------------------------------------------------- */

static void full(struct routes *r)
{
	if (!r->is_told)
		r->tell("there is no room for all routes: packets of some go to Linux, until CHUNKS is larger");
	r->is_told = true;
}

/* Update the trie after a change to the routes of a prefix; `first` is whether the old or new route has precedence over longer
 * prefixes.
 */
static void apply(struct routes *r, const struct rib_route *like, bool first, bool removed, __s64 time)
{
	const __u32 value = rib_value(&r->now, like->address, like->length);

	if (!r->is_ready || r->has_rules || r->is_off)
		return;
	if (!cells_set(&r->cells, like->address, like->length, like->length + (first ? CELLS_RANK_FIRST : 0), value, time))
		full(r);
	if (removed)
		cells_join(&r->cells, like->address, like->length, time);
	/* Longer prefixes that this route has hidden reappear. */
	if (removed && first && like->length < (r->family == AF_INET ? 32 : 128))
		routes_stale(r, time);
}

void routes_never(struct rib *rib, int family)
{
	static const struct { __u8 address, length; } ours[] = { { 0, 8 }, { 127, 8 }, { 224, 4 }, { 240, 4 } };
	static const struct rib_route groups = { .address = { 0xff }, .length = 8, .first = 1 };
	static const struct rib_route links = { .address = { 0xfe, 0x80 }, .length = 10, .first = 1 };

	for (int i = 0; family == AF_INET && i < 4; i++)
		rib_add(rib, &(struct rib_route){ .address = { ours[i].address }, .length = ours[i].length, .first = 1, .priority = NO_LIMIT });
	if (family == AF_INET6) {
		rib_add(rib, &groups);
		rib_add(rib, &links);
	}
}

/* Rebuild the trie from the routes, and merge it into the one in use. */
static void rebuild(struct routes *r, __s64 time)
{
	struct cells made;
	__u32 *cell = calloc(r->chunks, 256 * sizeof(*cell)), value;

	if (!cell || cells_open(&made, cell, r->chunks)) {
		r->tell("no memory for the routing table");
		free(cell);
		return;
	}
	for (__u32 i = 1; i < r->now.used && !r->has_rules && !r->is_off; i++) {
		const struct rib_route *route = &r->now.route[i];

		if (!route->gone && rib_counts(&r->now, route, &value) &&
		    !cells_set(&made, route->address, route->length, rib_rank(route), value, time))
			full(r);
	}
	cells_merge(&r->cells, &made, time);
	cells_close(&made);
	free(cell);
}

void routes_switch(struct routes *r, bool is_off, __s64 time)
{
	if (r->is_off == is_off)
		return;
	r->is_off = is_off;
	r->tell(is_off ? "Linux doesn't forward : all packets go to it, until it forwards" : "Linux forwards again");
	if (r->is_ready)
		rebuild(r, time);
}

/* -- messages ---------------------------------------------------------------------------------------------------------- */

static bool is_ours(const struct routes *r, __u32 table)
{
	return table == (r->table ? r->table : RT_TABLE_MAIN) || (table == RT_TABLE_LOCAL && !r->is_vrf);
}

/* Parse a route message; false if it isn't for this table. */
static bool route_of(const struct routes *r, const struct rtmsg *message, const struct attributes *found, struct rib_route *route)
{
	const __u32 table = number_of(found->of[RTA_TABLE], message->rtm_table);
	const struct nlattr *to = found->of[RTA_DST];

	if (message->rtm_family != r->family || message->rtm_flags & RTM_F_CLONED || !is_ours(r, table))
		return false;
	*route = (struct rib_route){
		.length = message->rtm_dst_len,
		.tos = message->rtm_tos,
		.priority = number_of(found->of[RTA_PRIORITY], 0),
		.first = table == RT_TABLE_LOCAL || (r->is_vrf && (message->rtm_type == RTN_LOCAL || message->rtm_type == RTN_BROADCAST)),
	};
	if (to)
		memcpy(route->address, mnl_attr_get_payload(to), r->family == AF_INET ? 4 : 16);
	return true;
}

/* Add a route of a dump. Of several equivalent routes, the first is used. */
static void take_route(struct routes *r, const struct nlmsghdr *header, __s64 time)
{
	const struct rtmsg *message = mnl_nlmsg_get_payload(header);
	struct attributes found = { 0 };
	struct rib_route route, *old;

	mnl_attr_parse(header, sizeof(*message), attributes_note, &found);
	if (!route_of(r, message, &found, &route))
		return;
	old = rib_find(&r->next, &route);
	if (old) {
		old->several = 1;
		return;
	}
	old = r->is_ready ? rib_find(&r->now, &route) : NULL;
	route.hop = hop_of(r, message, &found, old ? old->hop : HOP_LINUX, time);
	if (!rib_add(&r->next, &route))
		r->is_inconsistent = true;
}

static void change_route(struct routes *r, const struct nlmsghdr *header, __s64 time)
{
	const struct rtmsg *message = mnl_nlmsg_get_payload(header);
	const bool is_new = header->nlmsg_type == RTM_NEWROUTE;
	struct attributes found = { 0 };
	struct rib_route route, *old;

	mnl_attr_parse(header, sizeof(*message), attributes_note, &found);
	if (!route_of(r, message, &found, &route))
		return;
	r->stats->updates++;
	old = rib_find(&r->now, &route);
	/* There may be several equivalent routes, and for multipath routes the message may be about a single next hop. */
	if (is_new ? old && (old->several || !(header->nlmsg_flags & NLM_F_REPLACE)) :
		     !old || old->several || hop_kind(r->hop[old->hop].word) == HOP_GROUP) {
		routes_stale(r, time);
		return;
	}
	route.hop = is_new ? hop_of(r, message, &found, old ? old->hop : HOP_LINUX, time) : HOP_LINUX;
	if (is_new && old) {
		const __u32 before = old->hop;

		old->hop = route.hop;
		apply(r, &route, route.first, false, time);
		hops_put(&r->hops, before, time);
	} else if (is_new) {
		if (!rib_add(&r->now, &route))
			routes_stale(r, time);
		apply(r, &route, route.first, false, time);
	} else {
		const __u32 before = old->hop;

		rib_remove(&r->now, old);
		apply(r, &route, route.first, true, time);
		hops_put(&r->hops, before, time);
	}
	r->stats->routes = r->now.count;
}

/* Update the state and MTU of one of the router's links. */
static void take_link(struct routes *r, const struct nlmsghdr *header)
{
	const struct ifinfomsg *message = mnl_nlmsg_get_payload(header);
	struct attributes found = { 0 };

	mnl_attr_parse(header, sizeof(*message), attributes_note, &found);
	for (__u32 i = 0; i < r->ports; i++)
		if (r->port[i].index == (__u32)message->ifi_index) {
			const bool was_up = r->port[i].is_up;

			r->port[i].mtu = number_of(found.of[IFLA_MTU], r->port[i].mtu);
			r->port[i].is_up = header->nlmsg_type == RTM_NEWLINK && (message->ifi_flags & (IFF_UP | IFF_RUNNING)) == (IFF_UP | IFF_RUNNING);
			if (was_up != r->port[i].is_up && r->is_open)
				hops_switch(&r->hops, i, r->port[i].is_up);
		}
}

/* Whether a policy rule is a default one, or the one for VRF devices. */
static bool is_own_rule(const struct fib_rule_hdr *rule, const struct attributes *found)
{
	const __u32 priority = number_of(found->of[FRA_PRIORITY], 0);

	return found->of[FRA_L3MDEV] || (!rule->src_len && !rule->dst_len && !rule->tos && rule->action == FR_ACT_TO_TBL &&
					 !found->of[FRA_IIFNAME] && !found->of[FRA_OIFNAME] && !found->of[FRA_FWMARK] &&
					 (priority == 0 || priority == 32766 || priority == 32767));
}

static void take_rule(struct routes *r, const struct nlmsghdr *header)
{
	struct attributes found = { 0 };

	mnl_attr_parse(header, sizeof(struct fib_rule_hdr), attributes_note, &found);
	if (!is_own_rule(mnl_nlmsg_get_payload(header), &found))
		r->had_rules = true;
}

void routes_take(struct routes *r, const struct nlmsghdr *header, __s64 time)
{
	switch (header->nlmsg_type) {
	case RTM_NEWROUTE:
		take_route(r, header, time);
		break;
	case RTM_NEWLINK:
		take_link(r, header);
		break;
	case RTM_NEWRULE:
		take_rule(r, header);
	}
}

void routes_change(struct routes *r, const struct nlmsghdr *header, __s64 time)
{
	if (!r->is_ready) {
		routes_stale(r, time);
		return;
	}
	switch (header->nlmsg_type) {
	case RTM_NEWROUTE:
	case RTM_DELROUTE:
		change_route(r, header, time);
		return;
	case RTM_NEWLINK:
	case RTM_DELLINK:
		take_link(r, header);
		break;
	case RTM_NEWADDR:
		return;
	}
	routes_stale(r, time);
}

void routes_change_over(struct routes *r, __s64 time)
{
	struct rib before = r->now;

	r->now = r->next;
	r->next = (struct rib){ 0 };
	if (r->had_rules && !r->has_rules && !r->table)
		r->tell("Linux has rules of its user: all packets go to Linux as long as it has them, unless TABLE says which routes count");
	r->has_rules = r->had_rules && !r->table;
	rebuild(r, time);
	for (__u32 i = 1; i < before.used; i++)
		if (!before.route[i].gone)
			hops_put(&r->hops, before.route[i].hop, time);
	rib_close(&before);
	hops_clean(&r->hops, time);
	r->stats->routes = r->now.count;
	r->stats->resyncs++;
	r->is_ready = true;
}
