#include "ip6/nd.h"
#include "ip6/ndcache.inc.h"

#define HEADER_LENGTH ((__u32)sizeof(struct ethhdr))

static __always_inline int SELF(encapsulate)(struct pkt *p, __u64 to)
{
	__u8 *header = pkt_prepend(p, HEADER_LENGTH);

	if (!header)
		return PUNT;
	ether_fill(header, to, ether_rest(cfg.eth, htons(ETH_P_IPV6)));
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, HEADER_LENGTH);
	return OUTPUT(0);
}

#if USERSPACE
#include "ip6/neighbours.inc.h"
#endif

/* The word of a next hop outside its first slot, or 0. Not inlined, since few packets need it. */
static __attribute__((noinline)) __u64 SELF(look)(__u64 high, __u64 low)
{
	const struct SELF(neighbour) next = { .high = high, .low = low };
	__u64 word = 0;

	if (!ip6_is_multicast(&next.high))
		return SELF(word_at)(SELF(second_slot)(next), next);
	nd_group_ether(&word, (const __u8 *)&next);
	return word;
}

#if !USERSPACE
/* The word of a neighbour that may not be there any more, which without a runtime nobody can ask. Not inlined either. */
static __attribute__((noinline)) __u64 SELF(doubtful)(__u64 high, __u64 low)
{
	const struct SELF(neighbour) next = { .high = high, .low = low }, doubted = SELF(doubted)(next);

	return SELF(word_at)(SELF(first_slot)(next), doubted) ?: SELF(word_at)(SELF(second_slot)(next), doubted);
}
#endif

static __always_inline int SELF(send)(struct pkt *p)
{
	const struct SELF(neighbour) next = SELF(neighbour_of)(p->anno + DST_IP6_ANNO);
	__u64 word = SELF(word_at)(SELF(first_slot)(next), next);

	if (unlikely(!word)) {
		word = SELF(look)(next.high, next.low);
#if USERSPACE
		if (!word)
			return SELF(resolve)(p, (const __u8 *)&next);
#else
		if (!word && !runtime_listens(p))
			word = SELF(doubtful)(next.high, next.low);
		if (!word)
			return PUNT;
#endif
	}
	return SELF(encapsulate)(p, word);
}

ELEMENT(IP6NDSolicitor)
{
	if (input == 0)
		return SELF(send)(p);
	return IN_USERSPACE(SELF(receive)(p));
}
