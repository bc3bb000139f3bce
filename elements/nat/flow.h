/* The rewriters' flows: the part that both executors use.
 *
 * A flow is one struct nat_flow of 64 bytes (fields and marks in _flows.py). It has two directions: 0 for the packet that made it,
 * 1 for replies. saddr[d], sport[d] ... are the fields of an arriving packet of direction d. The fields of a leaving packet are
 * those of an arriving one of the other direction, reversed.
 *
 * Only the runtime makes, changes and ends flows; the kernel path reads them and writes `seen`. A reader detects by `generation`,
 * odd while a flow lives, that a flow's number is reused meanwhile; numbers rest for long before reuse.
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

static __always_inline void nat_touch(struct nat_flow *flow)
{
	const __u64 time = now_coarse();

	if (USERSPACE || (__s64)(time - flow->seen) > NAT_SEEN_STEP)
		*(volatile __u64 *)&flow->seen = time;
}

/* Read the rewritten form of a direction's packets; false if this isn't the flow of `key`, or is being changed. */
static __always_inline bool nat_read(const struct nat_flow *flow, int direction, const struct nat_key *key,
				     struct nat_target *target)
{
	const __u32 generation = *(const volatile __u32 *)&flow->generation;
	const int other = !direction;
	bool same;

	asm volatile("" ::: "memory");
	same = flow->saddr[direction] == key->saddr && flow->daddr[direction] == key->daddr &&
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
	asm volatile("" ::: "memory");
	return same && generation & 1 && *(const volatile __u32 *)&flow->generation == generation;
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
