#include <errno.h>
#include "analysis/flows.h"
#include "analysis/flowfragments.h"

/* -- what is over --------------------------------------------------------------------------------------------------- */

static bool SELF(is_older)(__u64 time, __s32 than)
{
	return (__s32)((__u32)(time / SELF(SECOND)) - (__u32)than) < 0;
}

static void SELF(reap_flows)(struct SELF(flows) *f, struct SELF(hosts) *hosts, int timeout, int done_timeout)
{
	struct SELF(flow) *next;

	for (struct SELF(flow) *flow = hosts->flows; flow; flow = next) {
		next = flow->next;
		if (!SELF(is_older)(flow->last, f->active - (flow->over == 3 ? done_timeout : timeout)))
			continue;
		aggregate_is_over(f->listeners, flow->aggregate);
		SELF(print_flow)(f, hosts->addresses, flow);
		SELF(free_flow)(f, hosts, flow);
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

/* All flows are looked at every REAP seconds of packets' timestamps. */
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
			SELF(print_flow)(f, hosts->addresses, flow);
			SELF(free_flow)(f, hosts, flow);
		}
	}
	table_clear(table);
}

CLEANUP()
{
	struct SELF(flows) *f = private(flows);

	SELF(forget)(f, SELF(table)(f, PROTOCOL_TCP));
	SELF(forget)(f, SELF(table)(f, PROTOCOL_UDP));
	free(f->bucket);
	if (!f->info)
		return;
	if (!cfg.info_is_stdout)
		fputs("</trace>\n", f->info);
	fclose(f->info);
}
