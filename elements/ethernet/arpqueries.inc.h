/* ARPQuerier, the runtime's part: packets whose address isn't in the cache, replies, timeouts, handlers. Included once for each
 * instance. */

/* The table may belong to another element, whose code may come later. */
#undef ARP_TABLE
#ifdef OTHER_table
#define ARP_TABLE OTHER(table, arp)
LASTING_OF(struct arp_table, ARP_TABLE);
#else
#define ARP_TABLE SELF(arp)
#include "ethernet/arpkeeper.inc.h"
#endif

LASTING(struct arp_user, user);

/* Schedule TIMER for `when` at the latest. */
static void SELF(wake_at)(__s64 when)
{
	struct SELF(queries) *queries = private(queries);

	if (when >= queries->wake_at)
		return;
	queries->wake_at = when;
	timer_at(when);
}

/* Send a query for the packet's next hop: by broadcast, or to the host that last had the address. */
static void SELF(send_query)(const struct pkt *p, const __u8 *to)
{
	const struct SELF(vars) *vars = var(vars);
	struct pkt *q = pkt_new(PKT_HEADROOM, sizeof(struct arp_frame));
	struct arp_frame *arp;

	if (!q)
		return;
	arp = pkt_data(q, 0, sizeof(*arp));
	arp_fill(arp, ARP_REQUEST);
	if (to && !vars->broadcast_poll)
		ether_copy(arp->to, to);
	else
		memset(arp->to, 0xff, sizeof(arp->to));
	ether_copy(arp->from, cfg.eth);
	ether_copy(arp->sender, cfg.eth);
	word32(arp->sender_ip) = vars->ip;
	memset(arp->target, 0, sizeof(arp->target));
	word32(arp->target_ip) = pkt_anno_u32(p, DST_IP_ANNO);
	pkt_set_mac_header(q, 0);
	pkt_set_network_header(q, HEADER_LENGTH);
	q->timestamp = p->timestamp;
	pkt_set_anno_u16(q, VLAN_TCI_ANNO, pkt_anno_u16(p, VLAN_TCI_ANNO));
	count(counters, queries, 1);
	emit(q, cfg.query_port);
}

static int SELF(no_address)(void)
{
	warn(1, "%s: would query for 0.0.0.0; missing dest IP addr annotation?", cfg.declaration);
	count(counters, drops, 1);
	return DROP(NO_ROUTE);
}

/* The Ethernet address for a broadcast or multicast address (RFC 1112, 6.4). False for other addresses. */
static bool SELF(group)(__be32 ip, __u8 *ether)
{
	const __u32 low = ntohl(ip) & 0x7fffff;

	if (ip == 0xffffffff || ip == var(vars)->broadcast) {
		memset(ether, 0xff, 6);
		return true;
	}
	if ((ip & htonl(0xf0000000)) != htonl(0xe0000000))
		return false;
	word16(ether) = htons(0x0100);
	word32(ether + 2) = htonl(0x5e000000 | low);
	return true;
}

/* Write the destination into a packet's Ethernet header, or keep the packet until the destination is known. */
static int SELF(resolve)(struct pkt *p)
{
	struct arp_table *t = ARP_TABLE;
	const __be32 ip = pkt_dst_ip(p);
	const __s64 time = now();
	__u8 *header = p->data;
	bool poll;
	__u32 i = arp_lookup(t, SELF(user), ip, &poll, time);
	int query;

	SELF(fill)(header, 0);
	if (i) {
		ether_copy(header, t->entry[i].ether);
		arp_publish(t, SELF(user), &t->entry[i], time);
		if (poll)
			SELF(send_query)(p, header);
		return OUTPUT(0);
	}
	if (SELF(group)(ip, header)) {
		arp_publish_group(SELF(user), ip, header);
		return OUTPUT(0);
	}
	if (!ip)
		return SELF(no_address)();
	query = arp_wait(t, ip, p, time);
	if (query < 0)
		return DROP(FULL);
	if (query)
		SELF(send_query)(p, NULL);
	return STOLEN;
}

/* A packet on input 0 whose next hop isn't in the cache. */
static int SELF(encapsulate)(struct pkt *p)
{
	if (!var(vars)->ip) {
		count(counters, drops, 1);
		return DROP(FILTERED);
	}
	if (!pkt_push(p, HEADER_LENGTH)) {
		count(counters, drops, 1);
		return PUNT;
	}
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, HEADER_LENGTH);
	return SELF(resolve)(p);
}

static void SELF(send_waiting)(struct pkt *p)
{
	while (p) {
		struct pkt *next = p->next;
		int result;

		p->next = NULL;
		result = SELF(resolve)(p);
		if (result == OUTPUT(0))
			emit(p, 0);
		else if (result != STOLEN)
			pkt_refuse(p, SELF(index), result);
		p = next;
	}
}

/* A packet on input 1: learn from it, and free it. */
static int SELF(receive)(struct pkt *p)
{
	const struct arp_frame *arp = pkt_data(p, 0, sizeof(*arp));

	if (!arp)
		return DROP(MALFORMED);
	count(counters, responses, 1);
	if (arp_is(arp, ARP_REPLY) && !(arp->sender[0] & 1)) {
		const __u32 i = arp_learn(ARP_TABLE, word32(arp->sender_ip), arp->sender, now());

		SELF(send_waiting)(arp_take_waiting(ARP_TABLE, i));
	}
	pkt_free(p);
	return STOLEN;
}

/* The slow path, under the table's lock. */
static int SELF(ask)(struct pkt *p, int input)
{
	int result;

	lock();
	result = input == 0 ? SELF(encapsulate)(p) : SELF(receive)(p);
	unlock();
	return result;
}

TIMER()
{
	const __s64 time = now();

	lock();
	private(queries)->wake_at = ARP_NEVER;
#ifndef OTHER_table
	SELF(wake_at)(arp_clean(SELF(arp), time));
#endif
	SELF(wake_at)(arp_review(ARP_TABLE, SELF(user), time));
	unlock();
}

INIT()
{
	struct arp_user *user = SELF(user);
	int error = 0;

	user->cache = (__u64 *)at(cache, 0);
	user->known = (struct arp_known *)at(known, 0);
	user->poll_timeout = var(vars)->poll_timeout;
	user->wake_at = SELF(wake_at);
	user->off = !var(vars)->ip;
	user->next = ARP_TABLE->users;
	ARP_TABLE->users = user;
	arp_uncache_all(user);
	private(queries)->wake_at = ARP_NEVER;
#ifndef OTHER_table
	error = SELF(open_table)();
	if (!error)
		SELF(timer)();
#endif
	return error;
}

CLEANUP()
{
#ifndef OTHER_table
	arp_close(SELF(arp));
#endif
}

CONTROL()
{
#ifndef OTHER_table
	SELF(control_table)(op, argument);
#endif
	/* This element's own addresses have changed. */
	if (op == SELF(CHANGED)) {
		SELF(user)->poll_timeout = var(vars)->poll_timeout;
		SELF(user)->off = !var(vars)->ip;
		arp_uncache_all(SELF(user));
		arp_forget_known(SELF(user));
	}
	return 0;
}
