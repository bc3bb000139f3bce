/* The flows of AggregateIPFlows: found by addresses and ports, and in a list for each pair of addresses, the one used last first. All
 * together are in a list as well, by which the one that has been silent for longest makes room. No include guard: the text
 * is compiled for each instance.
 */
#include <stdio.h>
#include <stdlib.h>
#include "aggregates.h"
#include "common/table.h"
#include "ip/transport.h"
#include "siphash.h"

/* Flags of TCP; a second of timestamps. */
enum { SELF(FIN) = 1, SELF(SYN) = 2, SELF(RST) = 4 };
enum { SELF(SECOND) = 1000000000 };
enum { SELF(BITS_MIN) = 6, SELF(BITS_MAX) = 24 };
/* Packets of a protocol that wait for ports, between all hosts. */
enum { SELF(WAIT_ALL) = 8192 };

struct SELF(flow) {
	struct SELF(flow) *next, *previous;	/* of the same addresses */
	struct SELF(flow) *chain;		/* in the same bucket */
	struct SELF(flow) *older, *newer;	/* of all: seen before it, after it */
	__u64 addresses;
	__u32 ports;		/* as in a packet from the lower to the higher address */
	__u32 aggregate;
	__u64 first, last;	/* timestamps */
	__u64 position;		/* of the first packet, in the file it came from */
	__u32 packets[2];
	__u8 protocol;
	__u8 over;		/* bits: FIN was seen in this direction */
	bool reverse;		/* its first packet went from the higher to the lower address */
};

struct SELF(hosts) {
	__u64 addresses;	/* lower and higher */
	struct SELF(flow) *flows;
	struct pkt *waiting, *waiting_last;
	__u64 before, after;	/* where packets wait: the hosts whose packets began to wait before and after these, or 0 */
	__u32 waits;
};

static struct table *SELF(table)(struct SELF(flows) *f, __u8 protocol)
{
	return as_table(protocol == PROTOCOL_TCP ? f->tcp : f->udp, sizeof(struct SELF(hosts)),
			cfg.capacity + SELF(WAIT_ALL) + 1);
}

static __s32 SELF(seconds)(const struct pkt *p)
{
	return p->timestamp / SELF(SECOND);
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
	fprintf(f->info, " begin='%llu.%09llu' duration='%llu.%09llu'", flow->first / SELF(SECOND), flow->first % SELF(SECOND),
		duration / SELF(SECOND), duration % SELF(SECOND));
	if (flow->position)
		fprintf(f->info, " filepos='%llu'", flow->position);
	fprintf(f->info, ">\n  <stream dir='0' packets='%u' /><stream dir='1' packets='%u' />\n</flow>\n", flow->packets[0],
		flow->packets[1]);
}

/* There are as many buckets as flows (up to 2^24), and nobody outside knows what shares one: chains are a step or two long. */
static struct SELF(flow) **SELF(bucket)(const struct SELF(flows) *f, __u64 addresses, __u32 ports, __u8 protocol)
{
	const __u64 hash = siphash13_2(hash_key(), addresses, (__u64)protocol << 32 | ports);

	return &((struct SELF(flow) **)f->bucket)[hash >> (64 - f->bits)];
}

static void SELF(enter)(struct SELF(flows) *f, struct SELF(flow) *flow)
{
	struct SELF(flow) **bucket = SELF(bucket)(f, flow->addresses, flow->ports, flow->protocol);

	flow->chain = *bucket;
	*bucket = flow;
}

/* Twice as many buckets; false without memory. A step for each flow, which those before it have paid for. */
static bool SELF(grow)(struct SELF(flows) *f)
{
	struct SELF(flow) **old = f->bucket;
	const __u32 count = old ? 1u << f->bits : 0, bits = old ? f->bits + 1 : SELF(BITS_MIN);
	struct SELF(flow) **more = calloc(1u << bits, sizeof(*more));

	if (!more)
		return false;
	f->bucket = more;
	f->bits = bits;
	for (__u32 i = 0; i < count; i++)
		for (struct SELF(flow) *flow = old[i], *next; flow; flow = next) {
			next = flow->chain;
			SELF(enter)(f, flow);
		}
	free(old);
	return true;
}

/* The first in its hosts' list, and the newest of all, is the one used last. */
static void SELF(to_front)(struct SELF(flows) *f, struct SELF(hosts) *hosts, struct SELF(flow) *flow)
{
	struct SELF(flow) *newest = f->newest;

	flow->older = newest;
	flow->newer = NULL;
	*(newest ? &newest->newer : (struct SELF(flow) **)&f->oldest) = flow;
	f->newest = flow;
	flow->previous = NULL;
	flow->next = hosts->flows;
	if (flow->next)
		flow->next->previous = flow;
	hosts->flows = flow;
}

static void SELF(unlink)(struct SELF(flows) *f, struct SELF(hosts) *hosts, struct SELF(flow) *flow)
{
	*(flow->older ? &flow->older->newer : (struct SELF(flow) **)&f->oldest) = flow->newer;
	*(flow->newer ? &flow->newer->older : (struct SELF(flow) **)&f->newest) = flow->older;
	*(flow->previous ? &flow->previous->next : &hosts->flows) = flow->next;
	if (flow->next)
		flow->next->previous = flow->previous;
}

static struct SELF(flow) *SELF(new_flow)(struct SELF(flows) *f, __u64 addresses, __u32 ports, __u8 protocol)
{
	struct SELF(flow) *flow;

	if (!f->bucket || (f->count >> f->bits && f->bits < SELF(BITS_MAX)))
		if (!SELF(grow)(f) && !f->bucket)
			return NULL;
	flow = calloc(1, sizeof(*flow));
	if (!flow)
		return NULL;
	flow->addresses = addresses;
	flow->ports = ports;
	flow->protocol = protocol;
	SELF(enter)(f, flow);
	f->count++;
	return flow;
}

static void SELF(free_flow)(struct SELF(flows) *f, struct SELF(hosts) *hosts, struct SELF(flow) *flow)
{
	struct SELF(flow) **at = SELF(bucket)(f, flow->addresses, flow->ports, flow->protocol);

	while (*at != flow)
		at = &(*at)->chain;
	*at = flow->chain;
	SELF(unlink)(f, hosts, flow);
	f->count--;
	free(flow);
}

/* Hosts without flows and packets that wait are forgotten. */
static void SELF(forget_hosts)(struct table *table, const struct SELF(hosts) *hosts)
{
	if (!hosts->flows && !hosts->waiting)
		table_remove(table, hosts->addresses);
}

/* A flow is over. Elements that are notified may send packets, which may come back here: nobody may hold pointers to flows or
 * hosts meanwhile.
 */
static void SELF(end_flow)(struct SELF(flows) *f, struct SELF(flow) *flow)
{
	struct table *table = SELF(table)(f, flow->protocol);
	struct SELF(hosts) *hosts = table_find(table, flow->addresses);
	const __u32 aggregate = flow->aggregate;

	SELF(print_flow)(f, flow->addresses, flow);
	SELF(free_flow)(f, hosts, flow);
	SELF(forget_hosts)(table, hosts);
	f->ended++;
	aggregate_is_over(f->listeners, aggregate);
}

static struct SELF(flow) *SELF(look_up)(const struct SELF(flows) *f, __u64 addresses, __u32 ports, __u8 protocol)
{
	struct SELF(flow) *flow = f->bucket ? *SELF(bucket)(f, addresses, ports, protocol) : NULL;

	while (flow && (flow->addresses != addresses || flow->ports != ports || flow->protocol != protocol))
		flow = flow->chain;
	return flow;
}

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
	int age = SELF(seconds)(p) - (__s32)(flow->last / SELF(SECOND));
	int timeout = protocol != PROTOCOL_TCP ? cfg.udp_timeout : flow->over == 3 ? cfg.tcp_done_timeout : cfg.tcp_timeout;

	if (age > timeout)
		return true;
	return flow->over == 3 && SELF(is_tcp_with_flags)(p, ip) && (SELF(tcp_flags)(p) & SELF(SYN));
}

/* The flow that a packet goes on with, or NULL where it begins one; then there is room for that. */
static struct SELF(flow) *SELF(going_on)(struct SELF(flows) *f, __u64 addresses, __u32 ports, struct pkt *p, __u8 protocol)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(flow) *flow;

	for (;;) {
		flow = SELF(look_up)(f, addresses, ports, protocol);
		if (flow && !SELF(has_died)(flow, p, ip, protocol))
			return flow;
		if (!flow && f->count < cfg.capacity)
			return NULL;
		f->evicted += !flow;
		SELF(end_flow)(f, flow ?: f->oldest);
	}
}

/* The packet's flow, which is then first in the list; NULL when out of memory. */
static struct SELF(flow) *SELF(find)(struct SELF(flows) *f, __u64 addresses, __u32 ports, bool reverse, struct pkt *p,
				     __u8 protocol)
{
	struct SELF(flow) *flow = SELF(going_on)(f, addresses, ports, p, protocol);
	struct SELF(hosts) *hosts = table_get(SELF(table)(f, protocol), addresses);

	if (!hosts)
		return NULL;
	if (flow) {
		SELF(unlink)(f, hosts, flow);
	} else {
		flow = SELF(new_flow)(f, addresses, ports, protocol);
		if (!flow) {
			SELF(forget_hosts)(SELF(table)(f, protocol), hosts);
			return NULL;
		}
		SELF(begin)(f, flow, reverse, p);
	}
	SELF(to_front)(f, hosts, flow);
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
	if (SELF(tcp_flags)(p) & SELF(RST))
		flow->over = 3;
	else if (SELF(tcp_flags)(p) & SELF(FIN))
		flow->over |= 1 << paint;
	else if (SELF(tcp_flags)(p) & SELF(SYN))
		flow->over = 0;
}
