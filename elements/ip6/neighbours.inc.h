/* Neighbours and their states (RFC 4861, 5 and 7), the runtime's part of IP6NDSolicitor. Included once for each instance.
 *
 * Entry 0 of the table is not used. Of the cfg.entries entries at most half are unanswered; the oldest of these makes room for the
 * next one, so that a host that scans a prefix displaces only entries that it has caused (RFC 6583).
 */
#include <errno.h>
#include <stdlib.h>

#define ND_SECOND 1000000000ll
#define ND_RETRANSMIT ND_SECOND		/* RFC 4861, 10 */
#define ND_REACHABLE_TIME (30 * ND_SECOND)
#define ND_DELAY_TIME (5 * ND_SECOND)
#define ND_STALE_TIME (600 * ND_SECOND)
#define ND_TRIES 3
#define ND_MOST_WAITING 3		/* packets waiting for one neighbour */
#define ND_LOOK 512			/* entries to search for the oldest */
#define ND_LOOK_MOST 4096

/* States, numbered as in Python; a free entry has state 0. */
enum { SELF(FREE), SELF(INCOMPLETE), SELF(REACHABLE), SELF(STALE), SELF(DELAY), SELF(PROBE) };

static struct pkt **SELF(waiting_of)(__u32 i)
{
	return (struct pkt **)private(queue)->waiting + i;
}

static __u32 *SELF(bucket_of)(const __u8 *address)
{
	struct SELF(cache) *slot = SELF(second_slot)(SELF(neighbour_of)(address));

	return &slot->first;
}

/* An entry's bucket is its second slot in the cache, one of 2^ND_CACHE_BITS by a keyed hash, so a chain has about entries /
 * 2^ND_CACHE_BITS steps.
 */
static __u32 SELF(find)(const __u8 *address)
{
	__u32 i = *SELF(bucket_of)(address);

	while (i && !ip6_equal(at(table, i)->address, address))
		i = at(table, i)->next;
	return i;
}

/* For other elements: a neighbour's Ethernet address in the lower 6 bytes, or 0 if it isn't known. */
static __always_inline __u64 SELF(link_of)(const __u8 *address)
{
	__u64 link = 0;
	__u32 i;

	lock();
	i = SELF(find)(address);
	if (i && at(table, i)->state != SELF(INCOMPLETE))
		ether_copy(&link, at(table, i)->ether);
	unlock();
	return link;
}

static void SELF(drop_waiting)(__u32 i)
{
	struct pkt **place = SELF(waiting_of)(i), *p;

	while ((p = *place)) {
		*place = p->next;
		p->next = NULL;
		count(counters, drops, 1);
		discard(p, NO_ROUTE);
	}
}

static void SELF(forget)(__u32 i)
{
	struct SELF(table) *entry = at(table, i);
	__u32 *place = SELF(bucket_of)(entry->address);

	while (*place != i)
		place = &at(table, *place)->next;
	*place = entry->next;
	SELF(unpublish)(entry->address);
	SELF(drop_waiting)(i);
	if (entry->state == SELF(INCOMPLETE))
		private(queue)->incomplete--;
	entry->state = SELF(FREE);
}

/* The entry that has been in this state longest, or any free one if the state is FREE; 0 if there is none. Large tables are
 * searched in part: ND_LOOK entries or, if none of those is in the state, ND_LOOK_MOST; each search continues where the last one
 * ended.
 */
static __u32 SELF(oldest)(__u32 state)
{
	__u32 found = 0, i = private(queue)->hand;

	for (__u32 looked = 0; looked < cfg.entries && looked < (found ? ND_LOOK : ND_LOOK_MOST); looked++) {
		i = i % cfg.entries + 1;
		if (at(table, i)->state == state && (!found || at(table, i)->since < at(table, found)->since))
			found = i;
	}
	private(queue)->hand = i;
	return found;
}

/* A free entry, which may have to be freed first; 0 if there is none. Takes at most three searches. */
static __u32 SELF(room)(void)
{
	const bool crowded = private(queue)->incomplete > cfg.entries / 2;
	__u32 i = crowded ? 0 : SELF(oldest)(SELF(FREE));

	if (!i)
		i = SELF(oldest)(SELF(INCOMPLETE)) ?: SELF(oldest)(SELF(STALE));
	if (i && at(table, i)->state)
		SELF(forget)(i);
	return i;
}

/* Makes TIMER run when the next entry is due, but at most ten times a second. */
static void SELF(wake_at)(__s64 when)
{
	struct SELF(queue) *queue = private(queue);

	if (queue->wake_at && queue->wake_at <= when)
		return;
	queue->wake_at = when;
	timer_at(when);
}

static void SELF(enter)(__u32 i, __u32 state, __s64 stays)
{
	struct SELF(table) *entry = at(table, i);

	if (entry->state == SELF(INCOMPLETE))
		private(queue)->incomplete--;
	if (state == SELF(INCOMPLETE))
		private(queue)->incomplete++;
	entry->state = state;
	entry->tries = 0;
	entry->since = now();
	entry->due = entry->since + stays;
	if (state == SELF(INCOMPLETE))
		SELF(unpublish)(entry->address);
	else
		SELF(publish)(entry->address, entry->ether, state == SELF(STALE));
	SELF(wake_at)(entry->due);
}

static __u32 SELF(create)(const __u8 *address)
{
	__u32 i = SELF(room)(), *bucket;
	struct SELF(table) *entry;

	if (!i)
		return 0;
	entry = at(table, i);
	bucket = SELF(bucket_of)(address);
	ip6_copy(entry->address, address);
	entry->next = *bucket;
	*bucket = i;
	SELF(enter)(i, SELF(INCOMPLETE), ND_RETRANSMIT);
	return i;
}

/* Asks all neighbours that may have the address, or the one that had it last. */
static void SELF(solicit)(__u32 i, bool all)
{
	struct SELF(table) *entry = at(table, i);
	struct pkt *q = pkt_new(PKT_HEADROOM, sizeof(struct nd_frame));
	__u8 to[16] = { 0xff, 2, [11] = 1, [12] = 0xff };
	struct nd_frame *frame;

	entry->tries++;
	if (!q)
		return;
	frame = pkt_data(q, 0, sizeof(*frame));
	if (all) {
		memcpy(to + 13, entry->address + 13, 3);
		nd_group_ether(frame->to, to);
	} else {
		ip6_copy(to, entry->address);
		ether_copy(frame->to, entry->ether);
	}
	nd_write(frame, ICMP6_SOLICITATION, cfg.ip, to, entry->address, cfg.eth, 0);
	pkt_set_mac_header(q, 0);
	pkt_set_network_header(q, ETH_HLEN);
	count(counters, queries, 1);
	emit(q, cfg.query_port);
}

/* Queue the packet; if there are too many, it replaces the first one. */
static int SELF(wait)(struct pkt *p, __u32 i)
{
	struct pkt **place = SELF(waiting_of)(i);
	int waiting = 0;

	for (struct pkt *q = *place; q; q = q->next)
		waiting++;
	if (waiting == ND_MOST_WAITING) {
		struct pkt *first = *place;

		*place = first->next;
		first->next = NULL;
		count(counters, drops, 1);
		discard(first, FULL);
	}
	while (*place)
		place = &(*place)->next;
	p->next = NULL;
	*place = p;
	return STOLEN;
}

/* A packet to a next hop that isn't in the cache. */
static int SELF(resolve)(struct pkt *p, const __u8 *next)
{
	__u32 i;

	if (ip6_is_zero(next)) {
		count(counters, drops, 1);
		return DROP(NO_ROUTE);
	}
	i = SELF(find)(next);
	if (i && at(table, i)->state != SELF(INCOMPLETE)) {
		if (at(table, i)->state == SELF(STALE))
			SELF(enter)(i, SELF(DELAY), ND_DELAY_TIME);
		else
			SELF(publish)(next, at(table, i)->ether, false);
		return SELF(encapsulate)(p, word64(at(table, i)->ether));
	}
	if (i)
		return SELF(wait)(p, i);
	i = SELF(create)(next);
	if (!i) {
		count(counters, drops, 1);
		return DROP(FULL);
	}
	SELF(wait)(p, i);
	SELF(solicit)(i, true);
	return STOLEN;
}

static void SELF(send_waiting)(__u32 i)
{
	struct pkt *p = *SELF(waiting_of)(i), *next;

	*SELF(waiting_of)(i) = NULL;
	for (; p; p = next) {
		next = p->next;
		p->next = NULL;
		if (SELF(encapsulate)(p, word64(at(table, i)->ether)) == OUTPUT(0))
			emit(p, 0);
		else
			discard(p, NO_MEMORY);
	}
}

/* Process an advertisement of a known or solicited neighbour (RFC 4861, 7.2.5). `link` is NULL without a link-layer address. */
static void SELF(learn)(__u32 i, const __u8 *link, __u32 flags)
{
	struct SELF(table) *entry = at(table, i);
	bool other = link && memcmp(entry->ether, link, 6);

	if (entry->state == SELF(INCOMPLETE)) {
		if (!link)
			return;
	} else if (other && !(flags & ND_OVERRIDE)) {
		if (entry->state == SELF(REACHABLE))
			SELF(enter)(i, SELF(STALE), ND_STALE_TIME);
		return;
	} else if (!other && !(flags & ND_SOLICITED)) {
		return;
	}
	if (link)
		memcpy(entry->ether, link, 6);
	if (flags & ND_SOLICITED)
		SELF(enter)(i, SELF(REACHABLE), ND_REACHABLE_TIME);
	else
		SELF(enter)(i, SELF(STALE), ND_STALE_TIME);
	SELF(send_waiting)(i);
}

/* Update a known sender's Ethernet address from its solicitation on input 1 (RFC 4861, 7.2.3). Unknown senders aren't added, so
 * that nobody can fill the table by soliciting.
 */
static int SELF(hear_question)(struct pkt *p)
{
	struct nd_frame *frame = nd_message(p, ICMP6_SOLICITATION);
	const __u8 *link = frame ? nd_link(frame, ND_SOURCE_LINK) : NULL;
	__u32 i;

	if (!frame || ip6_is_multicast(frame->ip.source) || (link && link[0] & 1))
		return DROP(MALFORMED);
	i = link ? SELF(find)(frame->ip.source) : 0;
	if (i)
		SELF(learn)(i, link, ND_OVERRIDE);
	pkt_free(p);
	return STOLEN;
}

/* A packet on input 1: learns from it, and consumes it. */
static int SELF(receive)(struct pkt *p)
{
	struct nd_frame *frame = nd_message(p, ICMP6_ADVERTISEMENT);
	const __u8 *link;
	__u32 flags, i;

	if (!frame)
		return SELF(hear_question)(p);
	flags = ntohl(frame->flags);
	link = nd_link(frame, ND_TARGET_LINK);
	/* RFC 4861, 7.1.2; and a multicast address is never a neighbour's. */
	if ((ip6_is_multicast(frame->ip.destination) && (flags & ND_SOLICITED)) || (link && (link[0] & 1)))
		return DROP(MALFORMED);
	i = SELF(find)(frame->target);
	if (i)
		SELF(learn)(i, link, flags);
	pkt_free(p);
	return STOLEN;
}

/* Nobody has answered. Frees the entry before it emits the waiting packets, since an element that sends errors about them may come
 * back here.
 */
static void SELF(give_up)(__u32 i)
{
	struct pkt *p = NULL, *next;

	if (SELF(noutputs) > 2) {
		p = *SELF(waiting_of)(i);
		*SELF(waiting_of)(i) = NULL;
	}
	SELF(forget)(i);
	for (; p; p = next) {
		next = p->next;
		p->next = NULL;
		count(counters, drops, 1);
		emit(p, 2);
	}
}

/* The timeout of an entry's state (RFC 4861, 7.3.3). */
static void SELF(overdue)(__u32 i)
{
	struct SELF(table) *entry = at(table, i);

	if (entry->state == SELF(REACHABLE)) {
		SELF(enter)(i, SELF(STALE), ND_STALE_TIME);
	} else if (entry->state == SELF(DELAY)) {
		SELF(enter)(i, SELF(PROBE), ND_RETRANSMIT);
		SELF(solicit)(i, false);
	} else if (entry->state == SELF(STALE) || entry->tries >= ND_TRIES) {
		SELF(give_up)(i);
	} else {
		entry->due += ND_RETRANSMIT;
		SELF(solicit)(i, entry->state == SELF(INCOMPLETE));
	}
}

TIMER()
{
	const __s64 time = now();
	__s64 next = 0;

	private(queue)->wake_at = 0;
	for (__u32 i = 1; i <= cfg.entries; i++) {
		struct SELF(table) *entry = at(table, i);

		if (entry->state && entry->due <= time)
			SELF(overdue)(i);
		if (entry->state && (!next || entry->due < next))
			next = entry->due;
	}
	if (next)
		SELF(wake_at)(next < time + ND_SECOND / 10 ? time + ND_SECOND / 10 : next);
}

INIT()
{
	struct SELF(queue) *queue = private(queue);

	queue->waiting = calloc(cfg.entries + 1, sizeof(struct pkt *));
	if (!queue->waiting)
		return -ENOMEM;
	/* An earlier runtime may have left incomplete neighbours, or entries that are due. */
	for (__u32 i = 1; i <= cfg.entries; i++) {
		const struct SELF(table) *entry = at(table, i);

		queue->incomplete += entry->state == SELF(INCOMPLETE);
		if (entry->state)
			SELF(wake_at)(entry->due);
	}
	return 0;
}

CLEANUP()
{
	struct SELF(queue) *queue = private(queue);

	for (__u32 i = 1; queue->waiting && i <= cfg.entries; i++)
		for (struct pkt *p = *SELF(waiting_of)(i), *next; p; p = next) {
			next = p->next;
			pkt_free(p);
		}
	free(queue->waiting);
	queue->waiting = NULL;
}

/* Take an entry of another router's table, and the packets waiting for it. */
static int SELF(take)(const struct SELF(table) *before, struct pkt **waiting)
{
	const __u32 i = SELF(create)(before->address);
	struct SELF(table) *entry = at(table, i);
	int packets = 0;

	if (!i)
		return -ENOSPC;
	memcpy(entry->ether, before->ether, sizeof(entry->ether));
	SELF(enter)(i, before->state, before->due - now());
	entry->since = before->since;
	entry->tries = before->tries;
	*SELF(waiting_of)(i) = *waiting;
	*waiting = NULL;
	for (const struct pkt *p = *SELF(waiting_of)(i); p; p = p->next)
		packets++;
	return packets;
}

/* From Python: a neighbour's address and Ethernet address; or the arguments of take(). */
CONTROL()
{
	const __u8 *address = (const __u8 *)argument;
	const __u64 *taken = (const __u64 *)argument;
	__u32 i;

	if (op == SELF(TAKE))
		return SELF(take)((const struct SELF(table) *)taken[0], (struct pkt **)taken[1]);
	i = SELF(find)(address);
	if (!i)
		i = SELF(create)(address);
	if (!i)
		return -ENOSPC;
	SELF(learn)(i, address + 16, ND_SOLICITED | ND_OVERRIDE);
	return 0;
}
