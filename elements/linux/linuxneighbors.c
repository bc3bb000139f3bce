#include "ip6/ip6.h"
#include "linux/gateway.h"
#include "linux/neighbours.h"

/* Find the slot of an address, and its word; NULL if there is none. */
static __always_inline struct SELF(slots) *SELF(find)(__u64 secret, __u64 high, __u64 low, __u64 *found)
{
	const __u32 bucket = neighbour_bucket(secret, low);

#pragma clang loop unroll(full)
	for (int i = 0; i < NEIGHBOUR_SLOTS; i++) {
		struct SELF(slots) *slot = at(slots, bucket * NEIGHBOUR_SLOTS + i);
		__u64 word;

		if (!slot)
			return NULL;
		word = read_once(slot->word);
		if (!word || read_once(slot->low) != low || read_once(slot->high) != high || read_once(slot->word) != word)
			continue;
		*found = word;
		return slot;
	}
	return NULL;
}

/* The upper half of an IPv4 packet's next hop, which may be an IPv6 address (linux/gateway.h). Read in the same words as LinuxIPLookup
 * writes: on a fused path, clang splits annotations into the accessed parts.
 */
static __always_inline __u64 SELF(high_of_short)(const __u8 *to)
{
	return gateway_is_ip6(to) ? (__u64)word32(to + 4) << 32 | word32(to) : 0;
}

static __always_inline int SELF(unknown)(void)
{
	return SELF(noutputs) > 1 ? OUTPUT(1) : DROP(NO_ROUTE);
}

ELEMENT(LinuxNeighbors)
{
	const struct SELF(vars) *vars = var(vars);
	const __u8 *ip = pkt_data(p, 0, 1);
	const bool is_short = ip && (pkt_ip_version(p) ?: *ip >> 4) == 4;
	const __u8 *to = p->anno + DST_IP6_ANNO;
	const __u64 high = is_short ? SELF(high_of_short)(to) : ip6_high(to);
	const __u64 low = is_short && !gateway_is_ip6(to) ? 0xffffull << 32 | pkt_dst_ip(p) : ip6_low(to);
	struct SELF(slots) *slot;
	__u64 word, ether;
	__u8 *header;

	if (!ip)
		return SELF(unknown)();
	slot = SELF(find)(vars->secret, high, low, &word);
	if (!slot)
		return SELF(unknown)();
	ether = read_once(vars->ether);
	if (!pkt_push(p, ETH_HLEN))
		return PUNT;
	/* Note for Linux that a stale neighbour is used. */
	if (unlikely(slot->stale) && !slot->used)
		write_once(slot->used, 1);
	header = pkt_data(p, 0, ETH_HLEN);
	if (!header)
		return DROP(NO_HEADROOM);
	ether_fill(header, word, ether | (__u64)(is_short ? htons(ETH_P_IP) : htons(ETH_P_IPV6)) << 48);
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	return OUTPUT(0);
}

#if USERSPACE

#include <stdio.h>
#include <string.h>

#define EACH 1000000000ll	/* ns between reports to Linux of used neighbours */

LASTING(struct neighbours, follower);

static void SELF(tell)(const char *what)
{
	fprintf(stderr, "%s: %s\n", SELF(name), what);
}

static void SELF(listen)(void)
{
	struct neighbours *n = SELF(follower);

	watch(n->asking ? n->events : n->dumps, 0);
	watch(n->asking ? n->dumps : n->events, WATCH_READ);
}

EVENT()
{
	lock();
	neighbours_read(SELF(follower));
	SELF(listen)();
	unlock();
}

TIMER()
{
	struct neighbours *n = SELF(follower);

	lock();
	if (!n->sequence)
		neighbours_ask(n);
	neighbours_use(n);
	SELF(listen)();
	unlock();
	timer_after(EACH);
}

INIT()
{
	const struct SELF(netlink) *own = private(netlink);

	if (own->events < 0)
		return 0;
	*SELF(follower) = (struct neighbours){
		.events = own->events, .dumps = own->dumps, .index = own->index, .slot = (struct neighbour *)at(slots, 0),
		.vars = (struct neighbour_vars *)var(vars), .tell = SELF(tell), .is_watching = true,
	};
	timer_after(1);
	return 0;
}

#endif
