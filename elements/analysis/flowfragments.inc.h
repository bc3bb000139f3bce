/* Fragments that wait in AggregateIPFlows until the ports of their packet are known, and later packets between the same hosts,
 * which wait to keep their order. No include guard: compiled once for each instance.
 */
#include "icmp/icmp.h"

/* Bounds on the cost of a packet: packets that wait between two hosts, and flows between them to search. */
enum { SELF(WAIT_MOST) = 512, SELF(STEPS_MOST) = 512 };

struct SELF(line) {
	__u64 first, last;	/* first and last hosts with waiting packets, or 0 */
	__u64 waits;		/* packets */
};

/* The identifying header of a packet that has been checked: its own, or the one that an ICMP error quotes. */
static const struct iphdr *SELF(good_header)(const struct pkt *p)
{
	const struct iphdr *ip = (void *)(p->head + p->net);

	return ip->protocol == PROTOCOL_ICMP ? (void *)(p->head + p->trans + sizeof(struct icmp_header)) : ip;
}

static void SELF(share_aggregate)(struct pkt *to, const struct pkt *from)
{
	pkt_set_anno_u32(to, AGGREGATE_ANNO, pkt_anno_u32(from, AGGREGATE_ANNO));
	pkt_set_anno_u8(to, PAINT_ANNO, pkt_anno_u8(from, PAINT_ANNO));
}

/* Give all fragments of a packet the aggregate that one of them has; returns whether the first in the line got it. */
static bool SELF(find_siblings)(struct pkt *head, struct pkt *others)
{
	__be16 id = SELF(good_header)(head)->id;

	for (struct pkt *p = others; p; p = p->next) {
		if (SELF(good_header)(p)->id != id)
			continue;
		if (pkt_anno_u32(head, AGGREGATE_ANNO))
			SELF(share_aggregate)(p, head);
		else if (pkt_anno_u32(p, AGGREGATE_ANNO)) {
			SELF(share_aggregate)(head, p);
			break;
		}
	}
	return pkt_anno_u32(head, AGGREGATE_ANNO);
}

/* Hosts of one protocol, in the order in which their packets began to wait. */
static struct SELF(line) *SELF(line)(struct SELF(flows) *f, const struct table *table)
{
	return (struct SELF(line) *)(table == SELF(table)(f, PROTOCOL_TCP) ? f->tcp_line : f->udp_line);
}

static void SELF(join_line)(struct SELF(line) *line, struct table *table, struct SELF(hosts) *hosts)
{
	struct SELF(hosts) *last = line->last ? table_find(table, line->last) : NULL;

	hosts->before = line->last;
	hosts->after = 0;
	*(last ? &last->after : &line->first) = hosts->addresses;
	line->last = hosts->addresses;
}

static void SELF(leave_line)(struct SELF(line) *line, struct table *table, const struct SELF(hosts) *hosts)
{
	struct SELF(hosts) *before = hosts->before ? table_find(table, hosts->before) : NULL;
	struct SELF(hosts) *after = hosts->after ? table_find(table, hosts->after) : NULL;

	*(before ? &before->after : &line->first) = hosts->after;
	*(after ? &after->before : &line->last) = hosts->before;
}

/* Count packets that wait between these hosts; the kernel path hands over all packets between them meanwhile. */
static void SELF(count_held)(struct SELF(hosts) *hosts, int packets)
{
	__atomic_fetch_add(&at(held, SELF(hosts_count)(hosts->addresses))->count, packets, __ATOMIC_RELAXED);
	hosts->waits += packets;
}

/* Emit or drop the first waiting packet between two hosts. */
static void SELF(release_head)(struct SELF(flows) *f, struct table *table, struct SELF(hosts) *hosts)
{
	struct SELF(line) *line = SELF(line)(f, table);
	struct pkt *head = hosts->waiting;
	int steps = 0;
	bool known;

	hosts->waiting = head->next;
	SELF(count_held)(hosts, -1);
	line->waits--;
	known = SELF(find_siblings)(head, hosts->waiting);
	/* Search only recently used flows: older ones don't count this packet. */
	for (struct SELF(flow) *flow = hosts->flows; known && flow && steps < SELF(STEPS_MOST); flow = flow->next, steps++)
		if (flow->known->aggregate == pkt_anno_u32(head, AGGREGATE_ANNO))
			SELF(note)(flow, head, SELF(good_header)(head));
	if (!hosts->waiting)
		SELF(leave_line)(line, table, hosts);
	SELF(forget_hosts)(table, hosts);
	if (known)
		emit(head, 0);
	else
		discard(head, EXPIRED);
}

/* Release packets that are whole, too old, or too many. A released packet may return to this element and change the table. */
static void SELF(release)(struct SELF(flows) *f, struct table *table, __u64 addresses)
{
	for (;;) {
		struct SELF(hosts) *hosts = table_find(table, addresses);
		struct pkt *head = hosts ? hosts->waiting : NULL;

		if (!head || (hosts->waits <= SELF(WAIT_MOST) && SELF(seconds)(head) >= f->active - cfg.fragment_timeout &&
			      ip_is_fragment(SELF(good_header)(head))))
			return;
		SELF(release_head)(f, table, hosts);
	}
}

/* Make room: release the packets of the hosts that have waited for longest. */
static void SELF(release_most)(struct SELF(flows) *f, struct table *table)
{
	const struct SELF(line) *line = SELF(line)(f, table);

	while (line->waits > SELF(WAIT_ALL))
		SELF(release_head)(f, table, table_find(table, line->first));
}

static void SELF(wait)(struct SELF(flows) *f, struct table *table, struct SELF(hosts) *hosts, struct pkt *p)
{
	const __u64 addresses = hosts->addresses;
	struct SELF(line) *line = SELF(line)(f, table);

	p->next = NULL;
	if (hosts->waiting) {
		hosts->waiting_last->next = p;
	} else {
		hosts->waiting = p;
		SELF(join_line)(line, table, hosts);
	}
	hosts->waiting_last = p;
	SELF(count_held)(hosts, 1);
	line->waits++;
	f->active = SELF(seconds)(p);
	SELF(release)(f, table, addresses);
	SELF(release_most)(f, table);
}
