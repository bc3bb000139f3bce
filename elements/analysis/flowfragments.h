/* Fragments that wait in AggregateIPFlows until the ports of their packet are known, and all else between the same hosts behind
 * them. No include guard: the text is compiled for each instance.
 */
#include "icmp/icmp.h"

/* Packets that wait between two hosts, and flows between them that one may be of: what a packet may cost. */
enum { SELF(WAIT_MOST) = 512, SELF(STEPS_MOST) = 512 };

/* The header of a packet that was found good: its own, or the one that an ICMP error quotes. */
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

/* What one fragment knows, all of its packet know; whether the first that waits is one of them. */
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

static void SELF(release_head)(struct SELF(hosts) *hosts)
{
	struct pkt *head = hosts->waiting;
	int steps = 0;

	hosts->waiting = head->next;
	hosts->waits--;
	if (!SELF(find_siblings)(head, hosts->waiting)) {
		discard(head, EXPIRED);
		return;
	}
	/* Of the flows used last: those before them go without this one. */
	for (struct SELF(flow) *flow = hosts->flows; flow && steps < SELF(STEPS_MOST); flow = flow->next, steps++)
		if (flow->aggregate == pkt_anno_u32(head, AGGREGATE_ANNO))
			SELF(note)(flow, head, SELF(good_header)(head));
	emit(head, 0);
}

/* Packets that are whole, or too old, or too many, needn't wait any longer. What goes on may come back, so the table may change. */
static void SELF(release)(struct SELF(flows) *f, struct table *table, __u64 addresses)
{
	for (;;) {
		struct SELF(hosts) *hosts = table_find(table, addresses);
		struct pkt *head = hosts->waiting;

		if (!head || (hosts->waits <= SELF(WAIT_MOST) && SELF(seconds)(head) >= f->active - cfg.fragment_timeout &&
			      ip_is_fragment(SELF(good_header)(head))))
			return;
		SELF(release_head)(hosts);
	}
}

static void SELF(wait)(struct SELF(flows) *f, struct table *table, struct SELF(hosts) *hosts, struct pkt *p)
{
	p->next = NULL;
	if (hosts->waiting)
		hosts->waiting_last->next = p;
	else
		hosts->waiting = p;
	hosts->waiting_last = p;
	hosts->waits++;
	f->active = SELF(seconds)(p);
	SELF(release)(f, table, hosts->addresses);
}
