/* The rewriters' flows: the part that both executors use.
 *
 * A flow is one struct nat_flow (fields and marks in _flows.py) of 64 bytes. It has two directions, 0 of the packet that made it and 1 of
 * the replies. saddr[d], sport[d] ... are what a packet of direction d has when it arrives; what it has when it
 * leaves is, turned round, what one of the other direction arrives with.
 *
 * The runtime alone makes, changes and ends flows. Its kernel path reads them and writes `seen`. A flow whose number is used
 * again while it is read is noticed by its generation, odd while it lives; numbers wait long before they are used again.
 */
#pragma once

#include "icmp/icmp.h"
#include "ip/transport.h"
#include "tables/index.h"

/* Values of nat_flow.tracked, for TCP: data, or an end, seen in direction d is bit d of these; else: beyond UDP_MANY are at
 * least three packets with one of direction 1 among them.
 */
#define NAT_TCP_DONE 3
#define NAT_TCP_DATA 12
#define NAT_UDP_MANY 6

/* The kernel path writes `seen` when it is so much out of date, so that CPUs don't fight for the line: 1 ms. */
#define NAT_SEEN_STEP 1000000ll

/* Addresses and ports of a packet. `space` keeps apart what may have equal ones, such as TCP and UDP. */
struct nat_key {
	__be32 saddr, daddr;
	__be16 sport, dport;
	__u32 space;
};

/* A packet that a rewriter looks at. */
struct nat_packet {
	struct iphdr *ip;
	struct tcp_header *tcp;		/* NULL if it has none, or only a part of it */
	struct udp_header *udp;
	struct icmp_header *icmp;
	__u32 length;			/* from the transport header to the packet's end */
	struct nat_key key;
	struct nat_key second;		/* looked for where there is no `key`, if `has_second` */
	bool has_second;
	bool answers;			/* makes no flow */
};

/* What the packet becomes, copied from its flow. */
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

/* Apply a difference that was made with nat_delta(). */
static __always_inline __u16 nat_sum(__u16 check, __u16 delta)
{
	return delta ? (__u16)~checksum_fold((__u64)(__u16)~check + delta) : check;
}

/* Whether the packet answers one that has begun the flow from outside. */
static __always_inline bool nat_is_answer(const struct nat_target *target)
{
	return target->marks & NAT_UNANSWERED && !target->direction;
}

/* A UDP checksum: 0 says that there is none, so a sum of 0 is sent as its other form (RFC 768). */
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

/* What a flow makes of the packets of a direction; false if it isn't the flow of `key`, or is being changed. */
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

/* What a flow doesn't say, because its rewriter doesn't use it, is as in the packet. */
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
