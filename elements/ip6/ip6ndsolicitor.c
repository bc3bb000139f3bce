/* IP6NDSolicitor: finds neighbours' Ethernet addresses for IPv6 packets. */
#include "ip6/nd.h"
#include "ip6/ndcache.inc.h"

#define HEADER_LENGTH ((__u32)sizeof(struct ethhdr))

static __always_inline int SELF(encapsulate)(struct pkt *p, const void *destination)
{
	__u8 *header;

	if (!pkt_push(p, HEADER_LENGTH))
		return PUNT;
	header = pkt_data(p, 0, HEADER_LENGTH);
	if (!header)
		return DROP(NO_HEADROOM);
	ether_copy(header, destination);
	ether_copy(header + 6, cfg.eth);
	word16(header + 12) = htons(ETH_P_IPV6);
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, HEADER_LENGTH);
	return OUTPUT(0);
}

#if USERSPACE
#include "ip6/neighbours.inc.h"
#endif

ELEMENT(IP6NDSolicitor)
{
	__u8 next[16];
	__u32 found = 0;
	__u64 known;

	if (input == 0) {
		ip6_copy(next, p->anno + DST_IP6_ANNO);
		if (ip6_is_multicast(next)) {
			nd_group_ether(&known, next);
			return SELF(encapsulate)(p, &known);
		}
		known = SELF(found)(next, &found);
		if (likely(known)) {
			int result = SELF(encapsulate)(p, &known);

			if (result == OUTPUT(0))
				SELF(remember)(found);
			return result;
		}
	}
#if USERSPACE
	return input == 0 ? SELF(resolve)(p, next) : SELF(receive)(p);
#else
	return PUNT;
#endif
}

#undef HEADER_LENGTH
