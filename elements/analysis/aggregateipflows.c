/* Flows are found by the pair of their addresses, then in a list by the pair of their ports, the one used last first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "aggregates.h"
#include "analysis/table.h"
#include "icmp/icmp.h"
#include "ip/transport.h"

#define SELF_FIN 1
#define SELF_SYN 2
#define SELF_RST 4
#define SECONDS 1000000000ull

struct SELF(flow) {
	struct SELF(flow) *next;
	__u32 ports;		/* as in a packet from the lower to the higher address */
	__u32 aggregate;
	__u64 first, last;	/* timestamps */
	__u64 position;		/* of the first packet, in the file it came from */
	__u32 packets[2];
	__u8 over;		/* bits: FIN was seen in this direction */
	bool reverse;		/* its first packet went from the higher to the lower address */
};

struct SELF(hosts) {
	__u64 addresses;	/* lower and higher */
	struct SELF(flow) *flows;
	struct pkt *waiting, *waiting_last;
};

static struct table *SELF(table)(struct SELF(flows) *f, __u8 protocol)
{
	return as_table(protocol == PROTOCOL_TCP ? f->tcp : f->udp, sizeof(struct SELF(hosts)));
}

static __s32 SELF(seconds)(const struct pkt *p)
{
	return p->timestamp / SECONDS;
}

static bool SELF(is_tcp_with_flags)(struct pkt *p, const struct iphdr *ip)
{
	return ip->protocol == PROTOCOL_TCP && ip_is_first_fragment(ip) &&
	       pkt_transport_header(p, offsetof(struct tcp_header, flags) + 1);
}

static __u8 SELF(tcp_flags)(struct pkt *p)
{
	return ((struct tcp_header *)(p->head + p->trans))->flags;
}

/* -- the file of flows ---------------------------------------------------------------------------------------------- */

static void SELF(print_address)(FILE *file, const char *name, __u32 address, __u16 port)
{
	fprintf(file, " %s='%u.%u.%u.%u' %.1sport='%u'", name, address >> 24, address >> 16 & 255, address >> 8 & 255,
		address & 255, name, port);
}

static void SELF(print_flow)(struct SELF(flows) *f, __u64 addresses, const struct SELF(flow) *flow)
{
	__u32 low = addresses >> 32, high = addresses, ports = ntohl(flow->ports);
	__u64 duration = flow->last - flow->first;

	if (!cfg.has_info || !f->info)
		return;
	fprintf(f->info, "<flow aggregate='%u'", flow->aggregate);
	SELF(print_address)(f->info, "src", flow->reverse ? high : low, flow->reverse ? ports & 0xffff : ports >> 16);
	SELF(print_address)(f->info, "dst", flow->reverse ? low : high, flow->reverse ? ports >> 16 : ports & 0xffff);
	fprintf(f->info, " begin='%llu.%09llu' duration='%llu.%09llu'", flow->first / SECONDS, flow->first % SECONDS,
		duration / SECONDS, duration % SECONDS);
	if (flow->position)
		fprintf(f->info, " filepos='%llu'", flow->position);
	fprintf(f->info, ">\n  <stream dir='0' packets='%u' /><stream dir='1' packets='%u' />\n</flow>\n", flow->packets[0],
		flow->packets[1]);
}

/* -- flows ---------------------------------------------------------------------------------------------------------- */

/* A flow begins with this packet. */
static void SELF(begin)(struct SELF(flows) *f, struct SELF(flow) *flow, bool reverse, const struct pkt *p)
{
	flow->aggregate = f->next++;
	flow->reverse = reverse;
	flow->over = 0;
	flow->first = flow->last = p->timestamp;
	flow->position = cfg.has_source ? call_python(flow->aggregate) : 0;
	flow->packets[0] = flow->packets[1] = 0;
	aggregate_begins(f->listeners, flow->aggregate);
}

static bool SELF(has_died)(const struct SELF(flow) *flow, struct pkt *p, const struct iphdr *ip, __u8 protocol)
{
	int age = SELF(seconds)(p) - (__s32)(flow->last / SECONDS);
	int timeout = protocol != PROTOCOL_TCP ? cfg.udp_timeout : flow->over == 3 ? cfg.tcp_done_timeout : cfg.tcp_timeout;

	if (age > timeout)
		return true;
	return flow->over == 3 && SELF(is_tcp_with_flags)(p, ip) && (SELF(tcp_flags)(p) & SELF_SYN);
}

/* The packet's flow, which is then first in the list; NULL when out of memory. */
static struct SELF(flow) *SELF(find)(struct SELF(flows) *f, struct SELF(hosts) *hosts, __u32 ports, bool reverse,
				     struct pkt *p, __u8 protocol)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(flow) **at = &hosts->flows, *flow;

	while (*at && (*at)->ports != ports)
		at = &(*at)->next;
	flow = *at;
	if (flow) {
		*at = flow->next;
		if (SELF(has_died)(flow, p, ip, protocol)) {
			aggregate_is_over(f->listeners, flow->aggregate);
			SELF(print_flow)(f, hosts->addresses, flow);
			SELF(begin)(f, flow, reverse, p);
		}
	} else {
		flow = calloc(1, sizeof(*flow));
		if (!flow)
			return NULL;
		flow->ports = ports;
		SELF(begin)(f, flow, reverse, p);
	}
	flow->next = hosts->flows;
	hosts->flows = flow;
	return flow;
}

/* The packet goes on: what it says about its flow. */
static void SELF(note)(struct SELF(flow) *flow, struct pkt *p, const struct iphdr *ip)
{
	__u8 paint = pkt_anno_u8(p, PAINT_ANNO);

	flow->last = p->timestamp;
	if (paint >= 2)
		return;		/* an ICMP error */
	flow->packets[paint]++;
	if (!SELF(is_tcp_with_flags)(p, ip))
		return;
	if (SELF(tcp_flags)(p) & SELF_RST)
		flow->over = 3;
	else if (SELF(tcp_flags)(p) & SELF_FIN)
		flow->over |= 1 << paint;
	else if (SELF(tcp_flags)(p) & SELF_SYN)
		flow->over = 0;
}

/* -- fragments ------------------------------------------------------------------------------------------------------ */

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

	hosts->waiting = head->next;
	if (!SELF(find_siblings)(head, hosts->waiting)) {
		discard(head, EXPIRED);
		return;
	}
	for (struct SELF(flow) *flow = hosts->flows; flow; flow = flow->next)
		if (flow->aggregate == pkt_anno_u32(head, AGGREGATE_ANNO))
			SELF(note)(flow, head, SELF(good_header)(head));
	emit(head, 0);
}

/* Packets that are whole, or too old, needn't wait any longer. What goes on may come back, so the table may change. */
static void SELF(release)(struct SELF(flows) *f, struct table *table, __u64 addresses)
{
	for (;;) {
		struct SELF(hosts) *hosts = table_find(table, addresses);
		struct pkt *head = hosts->waiting;

		if (!head || (SELF(seconds)(head) >= f->active - cfg.fragment_timeout &&
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
	f->active = SELF(seconds)(p);
	SELF(release)(f, table, hosts->addresses);
}

/* -- what is over --------------------------------------------------------------------------------------------------- */

static bool SELF(is_older)(__u64 time, __s32 than)
{
	return (__s32)((__u32)(time / SECONDS) - (__u32)than) < 0;
}

static void SELF(reap_flows)(struct SELF(flows) *f, struct SELF(hosts) *hosts, int timeout, int done_timeout)
{
	struct SELF(flow) **at = &hosts->flows, *flow;

	while ((flow = *at)) {
		if (!SELF(is_older)(flow->last, f->active - (flow->over == 3 ? done_timeout : timeout))) {
			at = &flow->next;
			continue;
		}
		aggregate_is_over(f->listeners, flow->aggregate);
		SELF(print_flow)(f, hosts->addresses, flow);
		*at = flow->next;
		free(flow);
	}
}

static void SELF(reap_table)(struct SELF(flows) *f, struct table *table, int timeout, int done_timeout)
{
	for (__u32 i = 0; i < table->count; i++) {
		struct SELF(hosts) *hosts = table_entry(table, i);

		SELF(release)(f, table, hosts->addresses);
		hosts = table_entry(table, i);
		if (!hosts->waiting)
			SELF(reap_flows)(f, hosts, timeout, done_timeout);
	}
}

static void SELF(reap)(struct SELF(flows) *f)
{
	SELF(reap_table)(f, SELF(table)(f, PROTOCOL_TCP), cfg.tcp_timeout, cfg.tcp_done_timeout);
	SELF(reap_table)(f, SELF(table)(f, PROTOCOL_UDP), cfg.udp_timeout, cfg.udp_timeout);
}

/* -- packets -------------------------------------------------------------------------------------------------------- */

static bool SELF(is_error)(__u8 type)
{
	return type == ICMP_UNREACHABLE || type == ICMP_TIME_EXCEEDED || type == ICMP_PARAMETER_PROBLEM ||
	       type == ICMP_SOURCE_QUENCH || type == ICMP_REDIRECT;
}

/* The IP header that an ICMP error quotes, if it is there. */
static const struct iphdr *SELF(quoted)(struct pkt *p)
{
	const struct icmp_header *icmp = pkt_transport_header(p, sizeof(*icmp) + sizeof(struct iphdr));
	const struct iphdr *ip = (const void *)(icmp + 1);

	if (!icmp || !SELF(is_error)(icmp->type) || ip->ihl < 5)
		return NULL;
	return pkt_transport_header(p, sizeof(*icmp) + ip_header_length(ip)) ? ip : NULL;
}

static __u32 SELF(swap)(__u32 ports)
{
	return ports >> 16 | ports << 16;
}

static void SELF(see_timestamp)(struct SELF(flows) *f, struct pkt *p)
{
	if (p->timestamp)
		return;
	if (!f->warned)
		fprintf(stderr, "%s: warning: packet received without timestamp\n", SELF(name));
	f->warned = true;
	p->timestamp = wall_clock();
}

/* The header that says which flow a packet belongs to, or NULL. */
static const struct iphdr *SELF(header)(struct pkt *p, __u8 *paint)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (ip && cfg.icmp && ip->protocol == PROTOCOL_ICMP && ip_is_first_fragment(ip)) {
		ip = SELF(quoted)(p);
		*paint = 2;
	}
	if (!ip || (ip->protocol != PROTOCOL_TCP && ip->protocol != PROTOCOL_UDP) || (!ip->saddr && !ip->daddr))
		return NULL;
	return ip;
}

/* The flow of a packet that has ports; NULL if it is cut, or there is no memory. */
static struct SELF(flow) *SELF(identify)(struct SELF(flows) *f, struct SELF(hosts) *hosts, struct pkt *p,
					 const struct iphdr *ip, __u8 *paint)
{
	const __u8 *at = (const __u8 *)ip + ip_header_length(ip);
	struct SELF(flow) *flow;
	__u32 ports;

	if (at + sizeof(ports) > p->tail)
		return NULL;
	ports = word32(at);
	if (ip->saddr == ip->daddr && ntohl(ports) > ntohl(SELF(swap)(ports)))
		*paint ^= 1;
	if (*paint & 1)
		ports = SELF(swap)(ports);
	flow = SELF(find)(f, hosts, ports, *paint & 1, p, ip->protocol);
	if (flow)
		*paint ^= flow->reverse;
	return flow;
}

enum { SELF(PASS), SELF(OTHER), SELF(KEPT) };

static int SELF(handle)(struct SELF(flows) *f, struct pkt *p)
{
	struct SELF(flow) *flow = NULL;
	struct SELF(hosts) *hosts;
	const struct iphdr *ip;
	struct table *table;
	__u32 from, to;
	__u8 paint = 0;

	SELF(see_timestamp)(f, p);
	ip = SELF(header)(p, &paint);
	if (!ip)
		return SELF(OTHER);
	from = ntohl(ip->saddr);
	to = ntohl(ip->daddr);
	paint ^= from > to;
	table = SELF(table)(f, ip->protocol);
	hosts = table_get(table, from > to ? (__u64)to << 32 | from : (__u64)from << 32 | to);
	if (!hosts)
		return SELF(OTHER);
	if (ip_is_first_fragment(ip)) {
		flow = SELF(identify)(f, hosts, p, ip, &paint);
		if (!flow)
			return SELF(OTHER);
	}
	pkt_set_anno_u32(p, AGGREGATE_ANNO, flow ? flow->aggregate : 0);
	pkt_set_anno_u8(p, PAINT_ANNO, paint);
	if ((f->gathers && ip_is_fragment(ip)) || hosts->waiting) {
		SELF(wait)(f, table, hosts, p);
		return SELF(KEPT);
	}
	if (!flow)
		return SELF(OTHER);
	f->active = SELF(seconds)(p);
	SELF(note)(flow, p, ip);
	return SELF(PASS);
}

/* Now and then, flows that are over are forgotten. */
static int SELF(take)(struct pkt *p)
{
	struct SELF(flows) *f = private(flows);
	int result = SELF(handle)(f, p);

	if (f->active >= f->reap) {
		if (f->reap)
			SELF(reap)(f);
		f->reap = f->active + cfg.reap;
	}
	return result;
}

ELEMENT(AggregateIPFlows)
{
	int result = SELF(take)(p);

	return result == SELF(KEPT) ? STOLEN : OUTPUT(result);
}

PULL()
{
	struct pkt *p;

	(void)output;
	for (int i = 0; i < PULLS_IN_VAIN; i++) {
		p = pull(0);
		if (!p)
			return NULL;
		if (SELF(take)(p) == SELF(PASS))
			return p;
		emit(p, 1);
	}
	wake_pullers();
	return NULL;
}

INIT()
{
	struct SELF(flows) *f = private(flows);

	f->next = 1;
	f->listeners = aggregate_listeners(SELF(index));
	f->gathers = cfg.fragments == 2 ? input_is_push(0) : cfg.fragments;
	if (f->gathers && !input_is_push(0)) {
		complain("'FRAGMENTS true' is incompatible with pull; run this element in a push context");
		return -EINVAL;
	}
	if (cfg.has_info) {
		f->info = fdopen(f->fd, "w");
		if (!f->info)
			return -errno;
		f->fd = -1;
	}
	return 0;
}

/* All flows are over. */
CONTROL()
{
	struct SELF(flows) *f = private(flows);
	__s32 active = f->active;

	(void)op;
	(void)argument;
	f->active = 0x7fffffff;
	SELF(reap)(f);
	f->active = active;
	return 0;
}

static void SELF(forget)(struct SELF(flows) *f, struct table *table)
{
	for (__u32 i = 0; i < table->count; i++) {
		struct SELF(hosts) *hosts = table_entry(table, i);
		struct SELF(flow) *flow;
		struct pkt *p;

		while ((p = hosts->waiting)) {
			hosts->waiting = p->next;
			pkt_free(p);
		}
		while ((flow = hosts->flows)) {
			hosts->flows = flow->next;
			SELF(print_flow)(f, hosts->addresses, flow);
			free(flow);
		}
	}
	table_clear(table);
}

CLEANUP()
{
	struct SELF(flows) *f = private(flows);

	SELF(forget)(f, SELF(table)(f, PROTOCOL_TCP));
	SELF(forget)(f, SELF(table)(f, PROTOCOL_UDP));
	if (!f->info)
		return;
	if (!cfg.info_is_stdout)
		fputs("</trace>\n", f->info);
	fclose(f->info);
}
