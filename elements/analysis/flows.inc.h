/* The flows of AggregateIPFlows: hashed by addresses and ports, and listed for each pair of addresses, the latest first. A list of
 * all flows by age finds the one to evict. No include guard: compiled once for each instance.
 */
#include <stdio.h>
#include <stdlib.h>
#include "aggregates.h"
#include "common/table.h"
#include "siphash.h"

enum { SELF(BITS_MIN) = 6, SELF(BITS_MAX) = 24 };
/* The most waiting packets of a protocol, for all hosts together. */
enum { SELF(WAIT_ALL) = 8192 };
/* How many flows to consider for eviction; and the most while each of them has had packets in the kernel path. */
enum { SELF(CHOICE) = 64, SELF(CHOICE_MOST) = 4096 };

/* The words of the index of what the kernel path knows (knownflows.inc.h). */
LASTING(struct index, words);

static void SELF(open_words)(void)
{
	*SELF(words) = (struct index){
		.bucket = (struct index_bucket *)at(buckets, 0), .mask = cfg.mask, .outside = &var(shared)->outside};
}

struct SELF(flow) {
	struct SELF(flow) *next, *previous;	/* of the same addresses */
	struct SELF(flow) *chain;		/* in the same bucket */
	struct SELF(flow) *older, *newer;	/* neighbours in the list of all, by age */
	struct SELF(known) *known;		/* the part shared with the kernel path */
	__u64 first;		/* timestamp of its first packet */
	__u64 placed;		/* timestamp of its last packet in the runtime */
	__u64 position;		/* of the first packet in its file */
};

struct SELF(hosts) {
	__u64 addresses;	/* lower and higher */
	struct SELF(flow) *flows;
	struct pkt *waiting, *waiting_last;
	__u64 before, after;	/* while packets wait: neighbours in the line of hosts, or 0 */
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

static void SELF(print_flow)(struct SELF(flows) *f, const struct SELF(flow) *flow)
{
	const struct SELF(known) *known = flow->known;
	__u32 low = known->addresses >> 32, high = known->addresses, ports = ntohl(known->ports);
	__u64 duration = known->last - flow->first;

	if (!cfg.has_info || !f->info)
		return;
	fprintf(f->info, "<flow aggregate='%u'", known->aggregate);
	SELF(print_address)(f->info, "src", known->reverse ? high : low, known->reverse ? ports & 0xffff : ports >> 16);
	SELF(print_address)(f->info, "dst", known->reverse ? low : high, known->reverse ? ports >> 16 : ports & 0xffff);
	fprintf(f->info, " begin='%llu.%09llu' duration='%llu.%09llu'", flow->first / SELF(SECOND), flow->first % SELF(SECOND),
		duration / SELF(SECOND), duration % SELF(SECOND));
	if (flow->position)
		fprintf(f->info, " filepos='%llu'", flow->position);
	fprintf(f->info, ">\n  <stream dir='0' packets='%u' /><stream dir='1' packets='%u' />\n</flow>\n", known->packets[0],
		known->packets[1]);
}

/* Chains are a step or two long: there are as many buckets as flows (up to 2^24), and outsiders don't know which flows share one. */
static struct SELF(flow) **SELF(bucket)(const struct SELF(flows) *f, __u64 addresses, __u32 ports, __u8 protocol)
{
	const __u64 hash = siphash13_2(hash_key(), addresses, (__u64)protocol << 32 | ports);

	return &((struct SELF(flow) **)f->bucket)[hash >> (64 - f->bits)];
}

static struct SELF(flow) **SELF(bucket_of)(const struct SELF(flows) *f, const struct SELF(flow) *flow)
{
	return SELF(bucket)(f, flow->known->addresses, flow->known->ports, flow->known->protocol);
}

static void SELF(enter)(struct SELF(flows) *f, struct SELF(flow) *flow)
{
	struct SELF(flow) **bucket = SELF(bucket_of)(f, flow);

	flow->chain = *bucket;
	*bucket = flow;
}

/* Double the buckets; false when out of memory. This takes a step for each flow: a constant cost for each flow added since the last
 * time.
 */
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

static void SELF(become_newest)(struct SELF(flows) *f, struct SELF(flow) *flow)
{
	struct SELF(flow) *newest = f->newest;

	flow->placed = flow->known->last;
	flow->older = newest;
	flow->newer = NULL;
	*(newest ? &newest->newer : (struct SELF(flow) **)&f->oldest) = flow;
	f->newest = flow;
}

static void SELF(leave_age)(struct SELF(flows) *f, struct SELF(flow) *flow)
{
	*(flow->older ? &flow->older->newer : (struct SELF(flow) **)&f->oldest) = flow->newer;
	*(flow->newer ? &flow->newer->older : (struct SELF(flow) **)&f->newest) = flow->older;
}

/* Move a flow to the front of its hosts' list, and make it the newest of all. (Packets in the kernel path don't.) */
static void SELF(to_front)(struct SELF(flows) *f, struct SELF(hosts) *hosts, struct SELF(flow) *flow)
{
	SELF(become_newest)(f, flow);
	flow->previous = NULL;
	flow->next = hosts->flows;
	if (flow->next)
		flow->next->previous = flow;
	hosts->flows = flow;
}

static int SELF(by_last)(const void *one, const void *other)
{
	const struct SELF(known) *a = (*(struct SELF(flow) *const *)one)->known, *b = (*(struct SELF(flow) *const *)other)->known;

	return a->last != b->last ? (a->last < b->last ? 1 : -1) : a->aggregate < b->aggregate ? 1 : -1;
}

/* Sort the flows of hosts by their last packets, including the kernel path's; without memory the order stays. */
static void SELF(sort)(struct SELF(hosts) *hosts)
{
	struct SELF(flow) **all, *flow;
	size_t count = 0;

	for (flow = hosts->flows; flow; flow = flow->next)
		count++;
	all = count > 1 ? malloc(count * sizeof(*all)) : NULL;
	if (!all)
		return;
	for (flow = hosts->flows, count = 0; flow; flow = flow->next)
		all[count++] = flow;
	qsort(all, count, sizeof(*all), SELF(by_last));
	for (size_t i = 0; i < count; i++) {
		all[i]->previous = i ? all[i - 1] : NULL;
		all[i]->next = i + 1 < count ? all[i + 1] : NULL;
	}
	hosts->flows = all[0];
	free(all);
}

static void SELF(unlink)(struct SELF(flows) *f, struct SELF(hosts) *hosts, struct SELF(flow) *flow)
{
	SELF(leave_age)(f, flow);
	*(flow->previous ? &flow->previous->next : &hosts->flows) = flow->next;
	if (flow->next)
		flow->next->previous = flow->previous;
}

/* The index in `held` of the count of packets that wait between these hosts. */
static __u32 SELF(hosts_count)(__u64 addresses)
{
	return SELF(flow_hash)(addresses, 0, 0) % SELF(HELD);
}

/* Take an unused entry; there is one for each flow of CAPACITY. */
static struct SELF(known) *SELF(take_known)(struct SELF(flows) *f)
{
	struct SELF(known) *known = at(known, f->unused ?: ++var(shared)->used);

	if (f->unused)
		f->unused = known->aggregate;
	return known;
}

static __u32 SELF(number)(const struct SELF(known) *known)
{
	return known - at(known, 0);
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
	flow->known = SELF(take_known)(f);
	flow->known->addresses = addresses;
	flow->known->ports = ports;
	flow->known->protocol = protocol;
	flow->known->held = SELF(hosts_count)(addresses);
	SELF(enter)(f, flow);
	f->count++;
	return flow;
}

/* Show the flow to the kernel path. A flow without room in the index is left to the runtime. */
static void SELF(publish)(struct SELF(known) *known)
{
	__atomic_store_n(&known->generation, known->generation + 1, __ATOMIC_RELEASE);
	index_insert(SELF(words), SELF(flow_hash)(known->addresses, known->ports, known->protocol), SELF(number)(known));
}

static void SELF(withdraw)(struct SELF(flows) *f, struct SELF(known) *known)
{
	index_remove(SELF(words), SELF(flow_hash)(known->addresses, known->ports, known->protocol), SELF(number)(known));
	__atomic_store_n(&known->generation, known->generation + 1, __ATOMIC_SEQ_CST);
	known->aggregate = f->unused;
	f->unused = SELF(number)(known);
}

static void SELF(free_flow)(struct SELF(flows) *f, struct SELF(hosts) *hosts, struct SELF(flow) *flow)
{
	struct SELF(flow) **at = SELF(bucket_of)(f, flow);

	while (*at != flow)
		at = &(*at)->chain;
	*at = flow->chain;
	SELF(unlink)(f, hosts, flow);
	SELF(withdraw)(f, flow->known);
	f->count--;
	free(flow);
}

/* Forget hosts without flows and waiting packets. */
static void SELF(forget_hosts)(struct table *table, const struct SELF(hosts) *hosts)
{
	if (!hosts->flows && !hosts->waiting)
		table_remove(table, hosts->addresses);
}

/* End a flow. The caller must hold no pointers to flows or hosts: notified elements may send packets, which may return here. */
static void SELF(end_flow)(struct SELF(flows) *f, struct SELF(flow) *flow)
{
	struct table *table = SELF(table)(f, flow->known->protocol);
	struct SELF(hosts) *hosts = table_find(table, flow->known->addresses);
	const __u32 aggregate = flow->known->aggregate;

	SELF(print_flow)(f, flow);
	SELF(free_flow)(f, hosts, flow);
	SELF(forget_hosts)(table, hosts);
	f->ended++;
	aggregate_is_over(f->listeners, aggregate);
}

static struct SELF(flow) *SELF(look_up)(const struct SELF(flows) *f, __u64 addresses, __u32 ports, __u8 protocol)
{
	struct SELF(flow) *flow = f->bucket ? *SELF(bucket)(f, addresses, ports, protocol) : NULL;

	while (flow && (flow->known->addresses != addresses || flow->known->ports != ports || flow->known->protocol != protocol))
		flow = flow->chain;
	return flow;
}

/* The flow to evict: the one silent for longest among the oldest of the list. A flow with packets in the kernel path since it was
 * placed there becomes the newest.
 */
static struct SELF(flow) *SELF(silent)(struct SELF(flows) *f)
{
	struct SELF(flow) *flow = f->oldest, *found = flow, *newer;
	int most = SELF(CHOICE_MOST);

	for (int i = 0; flow && i < most; flow = newer, i++) {
		newer = flow->newer;
		if (flow->known->last < found->known->last)
			found = flow;
		if (flow->known->last != flow->placed) {
			SELF(leave_age)(f, flow);
			SELF(become_newest)(f, flow);
		} else {
			most = SELF(CHOICE);
		}
	}
	return found;
}

/* Begin a flow with this packet. */
static void SELF(begin)(struct SELF(flows) *f, struct SELF(flow) *flow, bool reverse, const struct pkt *p)
{
	struct SELF(known) *known = flow->known;

	known->aggregate = f->next++;
	known->reverse = reverse;
	known->over = 0;
	flow->first = known->last = p->timestamp;
	known->packets[0] = known->packets[1] = 0;
	flow->position = cfg.has_source ? call_python(known->aggregate) : 0;
	SELF(publish)(known);
	aggregate_begins(f->listeners, known->aggregate);
}

static bool SELF(has_died)(const struct SELF(flow) *flow, struct pkt *p, const struct iphdr *ip)
{
	const struct SELF(known) *known = flow->known;

	if (SELF(age)(p->timestamp, known->last) > SELF(timeout)(known->protocol, known->over))
		return true;
	return known->over == SELF(OVER) && SELF(is_tcp_with_flags)(p, ip) && (SELF(tcp_flags)(p) & TCP_SYN);
}

/* The packet's flow, or NULL if the packet begins one; room is made for it. */
static struct SELF(flow) *SELF(going_on)(struct SELF(flows) *f, __u64 addresses, __u32 ports, struct pkt *p, __u8 protocol)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(flow) *flow;

	for (;;) {
		flow = SELF(look_up)(f, addresses, ports, protocol);
		if (flow && !SELF(has_died)(flow, p, ip))
			return flow;
		if (!flow && f->count < cfg.capacity)
			return NULL;
		f->evicted += !flow;
		SELF(end_flow)(f, flow ?: SELF(silent)(f));
	}
}

/* The packet's flow, found or begun, moved to the front; NULL when out of memory. */
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

/* Update a flow's state by a packet of it. */
static void SELF(note)(struct SELF(flow) *flow, struct pkt *p, const struct iphdr *ip)
{
	struct SELF(known) *known = flow->known;
	__u8 paint = pkt_anno_u8(p, PAINT_ANNO);

	flow->placed = p->timestamp;
	write_once(known->last, p->timestamp);
	if (paint >= 2)
		return;		/* an ICMP error */
	__atomic_fetch_add(&known->packets[paint], 1, __ATOMIC_RELAXED);
	if (!SELF(is_tcp_with_flags)(p, ip))
		return;
	if (SELF(tcp_flags)(p) & TCP_RST)
		known->over = SELF(OVER);
	else if (SELF(tcp_flags)(p) & TCP_FIN)
		known->over |= 1 << paint;
	else if (SELF(tcp_flags)(p) & TCP_SYN)
		known->over = 0;
}
