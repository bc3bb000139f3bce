/* The rewriters' flows: the part that both executors use.
 *
 * A flow is one struct nat_flow of 64 bytes (fields and marks in _flows.py). It has two directions: 0 for the packet that made it,
 * 1 for replies. saddr[d], sport[d] ... are the fields of an arriving packet of direction d. The fields of a leaving packet are
 * those of an arriving one of the other direction, reversed.
 *
 * Only the runtime makes, changes and ends flows, one thread at a time (keeper.h). The kernel path and the runtime's other threads read
 * them, and write `seen`. A reader detects by `generation`, odd while a flow lives, that a flow's number is reused meanwhile; numbers
 * rest for long before reuse.
 *
 * The order that this relies on: a reader loads the generation before the fields (acquire), and once more after them (fence). A writer
 * makes the generation even before it stores other fields (fence), and odd after that (release). x86 keeps that order by itself, arm64
 * by these operations; BPF programs have only the compiler's order, and on arm64 rely on a number's rest, which is longer than any
 * packet's way.
 */
#pragma once

#include "icmp/icmp.h"
#include "ip/transport.h"
#include "tables/index.h"

/* Values of nat_flow.tracked. TCP: bit d of each field is set once data, or an end, was seen in direction d. Others: more than
 * UDP_MANY means at least three packets, one of them of direction 1.
 */
#define NAT_TCP_DONE 3
#define NAT_TCP_DATA 12
#define NAT_UDP_MANY 6

/* The kernel path updates `seen` only when it is older than this, 1 ms, so that CPUs don't contend for the cache line. */
#define NAT_SEEN_STEP 1000000ll

/* Addresses and ports of a packet. `space` separates protocols, such as TCP and UDP. */
struct nat_key {
	__be32 saddr, daddr;
	__be16 sport, dport;
	__u32 space;
};

/* A packet parsed by a rewriter. */
struct nat_packet {
	struct iphdr *ip;
	struct tcp_header *tcp;		/* NULL if it has none, or only a part of it */
	struct udp_header *udp;
	struct icmp_header *icmp;
	__u32 length;			/* from the transport header to the packet's end */
	struct nat_key key;
	struct nat_key second;		/* tried if there is no flow for `key`, if `has_second` */
	bool has_second;
	bool answers;			/* a reply: doesn't make a flow */
};

/* The rewritten form of a packet, copied from its flow. */
struct nat_target {
	__be32 saddr, daddr;
	__be16 sport, dport;
	__u16 ip_delta, transport_delta;
	__u16 output;
	__u8 direction, protocol, tracked, reply_anno, marks;
};

enum nat_found { NAT_MISS, NAT_HIT, NAT_UNSURE };

static __always_inline __u64 nat_hash(const __u64 secret[2], const struct nat_key *key)
{
	return index_hash(secret, (__u64)key->saddr << 32 | key->daddr,
			  (__u64)key->sport << 48 | (__u64)key->dport << 32 | key->space);
}

/* Apply a difference from nat_delta(). */
static __always_inline __u16 nat_sum(__u16 check, __u16 delta)
{
	return delta ? (__u16)~checksum_fold((__u64)(__u16)~check + delta) : check;
}

/* Whether the packet answers a flow begun from outside. */
static __always_inline bool nat_is_answer(const struct nat_target *target)
{
	return target->marks & NAT_UNANSWERED && !target->direction;
}

/* The same for a UDP checksum: 0 means no checksum, so a sum of 0 is sent as 0xffff (RFC 768). */
static __always_inline __u16 nat_udp_sum(__u16 check, __u16 delta)
{
	return check ? nat_sum(check, delta) ?: 0xffff : 0;
}

/* The time of the flow's last packet, which readers write. */
static __always_inline __u64 nat_seen(const struct nat_flow *flow)
{
#if USERSPACE
	return __atomic_load_n(&flow->seen, __ATOMIC_RELAXED);
#else
	return *(const volatile __u64 *)&flow->seen;
#endif
}

static __always_inline void nat_touch(struct nat_flow *flow)
{
	const __u64 time = now_coarse(), seen = nat_seen(flow);

#if USERSPACE
	if (time != seen)
		__atomic_store_n(&flow->seen, time, __ATOMIC_RELAXED);
#else
	if ((__s64)(time - seen) > NAT_SEEN_STEP)
		*(volatile __u64 *)&flow->seen = time;
#endif
}

/* The rewritten form of a direction's packets; false if this isn't the flow of `key`. */
static __always_inline bool nat_describe(const struct nat_flow *flow, int direction, const struct nat_key *key,
					 struct nat_target *target)
{
	const int other = !direction;
	const bool same = flow->saddr[direction] == key->saddr && flow->daddr[direction] == key->daddr &&
			  flow->sport[direction] == key->sport && flow->dport[direction] == key->dport && flow->space == key->space;

	target->saddr = flow->daddr[other];
	target->daddr = flow->saddr[other];
	target->sport = flow->dport[other];
	target->dport = flow->sport[other];
	target->ip_delta = direction && flow->ip_delta ? ~flow->ip_delta : flow->ip_delta;
	target->transport_delta = direction && flow->transport_delta ? ~flow->transport_delta : flow->transport_delta;
	target->output = flow->output[direction];
	target->direction = direction;
	target->protocol = flow->protocol;
	target->tracked = flow->tracked;
	target->reply_anno = flow->reply_anno;
	target->marks = flow->marks;
	return same;
}

#if USERSPACE
typedef __u64 nat_word __attribute__((may_alias));
_Static_assert(sizeof(struct nat_flow) % sizeof(nat_word) == 0, "a flow consists of words");

/* Copy a flow from or to memory that other threads use at once, word by word. */
static __always_inline void nat_load(struct nat_flow *to, const struct nat_flow *from)
{
	for (unsigned int i = 0; i < sizeof(*to) / sizeof(nat_word); i++)
		((nat_word *)to)[i] = __atomic_load_n((const nat_word *)from + i, __ATOMIC_RELAXED);
}

static __always_inline void nat_store(struct nat_flow *to, const struct nat_flow *from)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);	/* after the generation became even */
	for (unsigned int i = 0; i < sizeof(*to) / sizeof(nat_word); i++)
		__atomic_store_n((nat_word *)to + i, ((const nat_word *)from)[i], __ATOMIC_RELAXED);
}

/* Change a field of a living flow. */
#define nat_set(flow, field, value) __atomic_store_n(&(flow)->field, value, __ATOMIC_RELAXED)
#endif

/* nat_describe() of a flow in the table; also false if it is being changed. */
static __always_inline bool nat_read(const struct nat_flow *flow, int direction, const struct nat_key *key,
				     struct nat_target *target)
{
	bool same;
#if USERSPACE
	const __u32 generation = __atomic_load_n(&flow->generation, __ATOMIC_ACQUIRE);
	struct nat_flow copy;

	nat_load(&copy, flow);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	same = nat_describe(&copy, direction, key, target);
	return same && generation & 1 && __atomic_load_n(&flow->generation, __ATOMIC_RELAXED) == generation;
#else
	const __u32 generation = *(const volatile __u32 *)&flow->generation;

	asm volatile("" ::: "memory");
	same = nat_describe(flow, direction, key, target);
	asm volatile("" ::: "memory");
	return same && generation & 1 && *(const volatile __u32 *)&flow->generation == generation;
#endif
}

/* Copy from the packet the fields that the rewriter ignores. */
static __always_inline void nat_complete(struct nat_target *target, const struct nat_key *packet, bool uses_ports, bool uses_destination)
{
	if (!uses_destination) {
		target->saddr = target->saddr ?: packet->saddr;
		target->daddr = target->daddr ?: packet->daddr;
	}
	if (!uses_ports) {
		target->sport = packet->sport;
		target->dport = packet->dport;
	}
}
