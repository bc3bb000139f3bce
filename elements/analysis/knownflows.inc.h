/* The part of AggregateIPFlows that the kernel path and the runtime share: how packets belong to flows, and an entry for each flow,
 * found by an index (tables/index.h), which the kernel path reads and updates. No include guard: compiled once for each instance.
 *
 * The states are `known`, the entries, from number 1 on; `buckets`, the index; `held`, counts of waiting packets by a hash of their
 * hosts; and `shared`. Only the runtime begins and ends flows. It makes an entry's generation odd once the entry is complete, and
 * even before reusing it.
 */
#include "ip/transport.h"
#include "tables/index.h"

/* A second of timestamps. */
enum { SELF(SECOND) = 1000000000 };
/* A flow ended in both directions. */
enum { SELF(OVER) = 3 };

/* The lower and the higher address. */
static __always_inline __u64 SELF(addresses)(const struct iphdr *ip)
{
	const __u32 from = ntohl(ip->saddr), to = ntohl(ip->daddr);

	return from > to ? (__u64)to << 32 | from : (__u64)from << 32 | to;
}

static __always_inline __u32 SELF(swap)(__u32 ports)
{
	return ports >> 16 | ports << 16;
}

/* Whether a packet goes from the higher to the lower address; if they are equal, from the higher to the lower port. */
static __always_inline bool SELF(is_turned)(const struct iphdr *ip, __u32 ports)
{
	if (ip->saddr != ip->daddr)
		return ntohl(ip->saddr) > ntohl(ip->daddr);
	return ntohl(ports) > ntohl(SELF(swap)(ports));
}

/* Whether packets with this header belong to flows. */
static __always_inline bool SELF(has_ports)(const struct iphdr *ip)
{
	return (ip->protocol == PROTOCOL_TCP || ip->protocol == PROTOCOL_UDP) && (ip->saddr || ip->daddr);
}

static __always_inline __u64 SELF(flow_hash)(__u64 addresses, __u32 ports, __u8 protocol)
{
	return index_hash(var(shared)->key, addresses, (__u64)protocol << 32 | ports);
}

/* How many seconds a flow may be silent. */
static __always_inline int SELF(timeout)(__u8 protocol, __u8 over)
{
	if (protocol != PROTOCOL_TCP)
		return cfg.udp_timeout;
	return over == SELF(OVER) ? cfg.tcp_done_timeout : cfg.tcp_timeout;
}

static __always_inline int SELF(age)(__u64 time, __u64 last)
{
	return (__s32)(time / SELF(SECOND)) - (__s32)(last / SELF(SECOND));
}

#if !USERSPACE

#include "tables/indexed.inc.h"

/* Update an entry's time only every 1 ms, so that CPUs don't contend for its cache line, but always in a new second: timeouts count
 * seconds.
 */
enum { SELF(STEP) = 1000000 };

/* The entry of a packet's flow; NULL if it isn't in the index, or is being changed. */
static __always_inline struct SELF(known) *SELF(find_known)(__u64 addresses, __u32 ports, __u8 protocol, struct SELF(known) *found)
{
	struct SELF(known) *known = at(known, SELF(indexed)(SELF(flow_hash)(addresses, ports, protocol)));
	__u32 generation;

	if (!known)
		return NULL;
	generation = read_once(known->generation);
	asm volatile("" ::: "memory");
	found->aggregate = known->aggregate;
	found->reverse = known->reverse;
	found->over = known->over;
	found->held = known->held;
	found->last = known->last;
	if (known->addresses != addresses || known->ports != ports || known->protocol != protocol)
		return NULL;
	asm volatile("" ::: "memory");
	return generation & 1 && read_once(known->generation) == generation ? known : NULL;
}

/* Whether packets wait between a flow's hosts. */
static __always_inline bool SELF(is_held)(const struct SELF(known) *found)
{
	struct SELF(held) *held = at(held, found->held);

	return !held || read_once(held->count);
}

/* The ports of a packet that neither begins nor ends a flow; false if it is left to the runtime. */
static __always_inline bool SELF(read_ports)(struct pkt *p, const struct iphdr *ip, __u32 *ports)
{
	const struct tcp_header *tcp;
	const struct udp_header *udp;

	if (ip_is_fragment(ip) || pkt_transport_offset(p) != pkt_network_offset(p) + (int)ip_header_length(ip))
		return false;
	if (ip->protocol == PROTOCOL_UDP) {
		udp = pkt_transport_header(p, sizeof(*ports));
		if (udp)
			*ports = word32(udp);
		return udp;
	}
	tcp = pkt_transport_header(p, offsetof(struct tcp_header, flags) + 1);
	if (!tcp || tcp->flags & (TCP_FIN | TCP_SYN | TCP_RST))
		return false;
	*ports = word32(tcp);
	return true;
}

/* Handle a packet of a known flow; false, with nothing changed, if it is left to the runtime. */
static __always_inline bool SELF(go_on)(struct pkt *p, const struct iphdr *ip)
{
	const __u8 protocol = ip->protocol;
	const __u64 addresses = SELF(addresses)(ip), time = pkt_peek_timestamp(p);
	struct SELF(known) *known, found = {};
	__u32 ports;
	bool turned;
	int age;

	if (!SELF(read_ports)(p, ip, &ports))
		return false;
	turned = SELF(is_turned)(ip, ports);
	known = SELF(find_known)(addresses, turned ? SELF(swap)(ports) : ports, protocol, &found);
	age = SELF(age)(time, found.last);
	if (!known || age > SELF(timeout)(protocol, found.over) || SELF(is_held)(&found) ||
	    (__s32)(time / SELF(SECOND)) >= read_once(var(shared)->reap))
		return false;
	turned ^= found.reverse;
	if (cfg.has_info || age || time - found.last > SELF(STEP))
		write_once(known->last, time);
	if (cfg.has_info)
		__sync_fetch_and_add(&known->packets[turned], 1);
	pkt_set_timestamp(p, time);
	pkt_set_anno_u32(p, AGGREGATE_ANNO, found.aggregate);
	pkt_set_anno_u8(p, PAINT_ANNO, turned);
	return true;
}

#endif
