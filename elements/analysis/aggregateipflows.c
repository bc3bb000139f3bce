#include "analysis/knownflows.inc.h"
#include "icmp/icmp.h"

enum { SELF(PASS), SELF(OTHER), SELF(KEPT), SELF(UNKNOWN) };

#if USERSPACE

#include <errno.h>
#include <string.h>
#include "analysis/ages.h"
#include "analysis/flows.inc.h"
#include "analysis/flowfragments.inc.h"

/* -- ends of flows -------------------------------------------------------------------------------------------------- */

static bool SELF(is_over)(const struct SELF(flows) *f, const struct SELF(flow) *flow)
{
	const struct SELF(known) *known = flow->known;

	return is_older(known->last / SELF(SECOND), f->active - SELF(timeout)(known->protocol, known->over));
}

/* Release packets that have waited for too long. A released packet may return to this element and change the line; the rest then
 * waits for the next call.
 */
static void SELF(reap_waiting)(struct SELF(flows) *f, struct table *table)
{
	const struct SELF(line) *line = SELF(line)(f, table);
	const struct SELF(hosts) *hosts;
	__u64 next;

	for (__u64 left = line->waits, addresses = line->first; left && addresses; left--, addresses = next) {
		hosts = table_find(table, addresses);
		if (!hosts || !hosts->waiting)
			return;
		next = hosts->after;
		SELF(release)(f, table, addresses);
	}
}

/* Look at all flows every REAP seconds of packets' timestamps. Elements notified of an end may send packets, which may end other
 * flows; the rest then waits for the next call.
 */
static void SELF(reap_flows)(struct SELF(flows) *f)
{
	struct SELF(flow) *next;

	for (struct SELF(flow) *flow = f->oldest; flow; flow = next) {
		const struct SELF(hosts) *hosts = table_find(SELF(table)(f, flow->known->protocol), flow->known->addresses);
		const __u64 ended = f->ended;

		next = flow->newer;
		if (hosts->waiting || !SELF(is_over)(f, flow))
			continue;
		SELF(end_flow)(f, flow);
		if (f->ended != ended + 1)
			return;
	}
}

static void SELF(reap)(struct SELF(flows) *f)
{
	SELF(reap_waiting)(f, SELF(table)(f, PROTOCOL_TCP));
	SELF(reap_waiting)(f, SELF(table)(f, PROTOCOL_UDP));
	SELF(reap_flows)(f);
}

/* -- packets -------------------------------------------------------------------------------------------------------- */

/* The header that identifies a packet's flow, or NULL. */
static const struct iphdr *SELF(header)(struct pkt *p, __u8 *paint)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (ip && cfg.icmp && ip->protocol == PROTOCOL_ICMP && ip_is_first_fragment(ip)) {
		ip = icmp_quoted(p, 0);
		*paint = 2;
	}
	return ip && SELF(has_ports)(ip) ? ip : NULL;
}

/* The flow of a packet that has ports; NULL if the packet is truncated, or when out of memory. */
static struct SELF(flow) *SELF(identify)(struct SELF(flows) *f, __u64 addresses, struct pkt *p, const struct iphdr *ip,
					 __u8 *paint)
{
	const __u8 *at = (const __u8 *)ip + ip_header_length(ip);
	struct SELF(flow) *flow;
	__u32 ports;

	if (at + sizeof(ports) > p->tail)
		return NULL;
	ports = word32(at);
	if (SELF(is_turned)(ip, ports))
		*paint ^= 1;
	if (*paint & 1)
		ports = SELF(swap)(ports);
	flow = SELF(find)(f, addresses, ports, *paint & 1, p, ip->protocol);
	if (flow)
		*paint ^= flow->known->reverse;
	return flow;
}

static int SELF(handle)(struct SELF(flows) *f, struct pkt *p)
{
	struct SELF(flow) *flow = NULL;
	struct SELF(hosts) *hosts;
	const struct iphdr *ip;
	struct table *table;
	__u64 addresses;
	__u8 paint = 0;

	need_timestamp(p, "AggregateIPFlows");
	ip = SELF(header)(p, &paint);
	if (!ip)
		return SELF(OTHER);
	table = SELF(table)(f, ip->protocol);
	addresses = SELF(addresses)(ip);
	if (ip_is_first_fragment(ip)) {
		flow = SELF(identify)(f, addresses, p, ip, &paint);
		if (!flow)
			return SELF(OTHER);
	} else {
		paint ^= SELF(is_turned)(ip, 0);
	}
	pkt_set_anno_u32(p, AGGREGATE_ANNO, flow ? flow->known->aggregate : 0);
	pkt_set_anno_u8(p, PAINT_ANNO, paint);
	hosts = table_find(table, addresses);
	if ((f->gathers && ip_is_fragment(ip)) || (hosts && hosts->waiting)) {
		hosts = hosts ?: table_get(table, addresses);
		if (hosts)
			SELF(wait)(f, table, hosts, p);
		return hosts ? SELF(KEPT) : SELF(OTHER);
	}
	if (!flow)
		return SELF(OTHER);
	f->active = SELF(seconds)(p);
	SELF(note)(flow, p, ip);
	return SELF(PASS);
}

/* Assign a packet to its flow. Every REAP, end flows that are over. */
static int SELF(take)(struct pkt *p)
{
	struct SELF(flows) *f = private(flows);
	struct SELF(shared) *shared = var(shared);
	int result = SELF(handle)(f, p);

	if (f->active >= shared->reap) {
		if (shared->reap)
			SELF(reap)(f);
		shared->reap = f->active + cfg.reap;
	}
	return result;
}

#else

/* Left to the runtime: beginning and ending flows, fragments, ICMP errors, and packets without a timestamp. */
static __always_inline int SELF(take)(struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));

	if (!p->timestamp || (ip && cfg.icmp && ip->protocol == PROTOCOL_ICMP))
		return SELF(UNKNOWN);
	if (!ip || !SELF(has_ports)(ip))
		return SELF(OTHER);
	return SELF(go_on)(p, ip) ? SELF(PASS) : SELF(UNKNOWN);
}

#endif

ELEMENT(AggregateIPFlows)
{
	const int result = SELF(take)(p);

	if (!USERSPACE && result == SELF(UNKNOWN))
		return PUNT;
	return result == SELF(KEPT) ? STOLEN : OUTPUT(result);
}

#if USERSPACE

PULL()
{
	struct pkt *p = pull(0);

	if (!p || SELF(take)(p) == SELF(PASS))
		return p;
	emit(p, 1);
	wake_pullers();
	return NULL;
}

/* Forget the flows that an earlier runtime left in shared memory. */
static void SELF(forget_known)(struct SELF(shared) *shared)
{
	hash_key_keep(shared->key);
	SELF(open_words)();
	if (!shared->used)
		return;
	memset(at(buckets, 0), 0, (cfg.mask + 1ul) * sizeof(struct index_bucket));
	memset(at(held, 0), 0, SELF(HELD) * sizeof(struct SELF(held)));
	for (; shared->used; shared->used--)
		at(known, shared->used)->generation += at(known, shared->used)->generation & 1;
	shared->outside = 0;
	shared->reap = 0;
}

INIT()
{
	struct SELF(flows) *f = private(flows);

	SELF(forget_known)(var(shared));
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

/* End all flows. */
CONTROL()
{
	struct SELF(flows) *f = private(flows);
	__s32 active = f->active;

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
		if (f->info)
			SELF(sort)(hosts);
		while ((flow = hosts->flows)) {
			SELF(print_flow)(f, flow);
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
	index_close(SELF(words));
	if (!f->info)
		return;
	if (!cfg.info_is_stdout)
		fputs("</trace>\n", f->info);
	fclose(f->info);
}

#endif
