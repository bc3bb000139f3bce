/* IP6NDSolicitor: finds neighbours' Ethernet addresses for IPv6 packets. */
#include "ip6/nd.h"
#include "ip6/ndcache.inc.h"

#define HEADER_LENGTH ((__u32)sizeof(struct ethhdr))

static __always_inline int SELF(encapsulate)(struct pkt *p, __u64 to)
{
	__u8 *header;

	if (!pkt_push(p, HEADER_LENGTH))
		return PUNT;
	header = pkt_data(p, 0, HEADER_LENGTH);
	if (!header)
		return DROP(NO_HEADROOM);
	ether_fill(header, to, ether_rest(cfg.eth, htons(ETH_P_IPV6)));
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, HEADER_LENGTH);
	return OUTPUT(0);
}

#if USERSPACE
#include "ip6/neighbours.inc.h"
#endif

/* A packet to a next hop that isn't in its first slot. */
static __always_inline int SELF(look)(struct pkt *p, struct SELF(neighbour) next)
{
	__u64 word = 0;

	if (ip6_is_multicast(&next.high)) {
		nd_group_ether(&word, (const __u8 *)&next);
		return SELF(encapsulate)(p, word);
	}
	word = SELF(word_at)(SELF(second_slot)(next), next);
	if (word)
		return SELF(encapsulate)(p, word);
#if USERSPACE
	return SELF(resolve)(p, (const __u8 *)&next);
#else
	return PUNT;
#endif
}

ELEMENT(IP6NDSolicitor)
{
	struct SELF(neighbour) next;
	__u64 word;

	if (input == 0) {
		next = SELF(neighbour_of)(p->anno + DST_IP6_ANNO);
		word = SELF(word_at)(SELF(first_slot)(next), next);
		return likely(word) ? SELF(encapsulate)(p, word) : SELF(look)(p, next);
	}
#if USERSPACE
	return SELF(receive)(p);
#else
	return PUNT;
#endif
}
