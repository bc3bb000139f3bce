#include "ethernet/arp.h"

#define HEADER_LENGTH ((__u32)sizeof(struct ethhdr))

/* Whether the cache has a word for an address: the Ethernet address in its low 48 bits, the high half of the IP address above; the
 * low half is the word's index. Zero means no entry; only addresses that no host has could match it. The word says all, so that no order
 * of loads is needed beside the writer's.
 */
static __always_inline bool SELF(find)(__u32 ip, __u64 *word)
{
	const struct SELF(cache) *slot = at(cache, ip & 0xffff);

	*word = slot ? read_once(*(const __u64 *)slot) : 0;
	return likely(*word >> 48 == ip >> 16) && (ip >> 16 || *word);
}

#if !USERSPACE
/* The Ethernet address of a neighbour that is known but would be asked again; 0 for others. */
static __attribute__((noinline)) __u64 SELF(doubtful)(__be32 ip)
{
	const struct SELF(known) *known = at(known, ntohl(ip) & (SELF(KNOWN) - 1));
	__u64 word = 0;

	if (known && ip && known->ip == ip)
		ether_copy(&word, known->ether);
	return word;
}
#endif

/* Write the Ethernet header; the destination is the first six bytes of `to`. */
static __always_inline void SELF(fill)(__u8 *header, __u64 to)
{
	ether_fill(header, to, ether_rest(cfg.eth, htons(ETH_P_IP)));
}

static __always_inline int SELF(send_cached)(struct pkt *p, __u64 word)
{
	__u8 *header = pkt_prepend(p, HEADER_LENGTH);

	if (!header)
		return PUNT;
	SELF(fill)(header, word);
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, HEADER_LENGTH);
	return OUTPUT(0);
}

#if USERSPACE

#include "ethernet/arptables.h"
#include "ip/ip.h"
#include "ethernet/arpqueries.inc.h"

#endif

ELEMENT(ARPQuerier)
{
	__u64 word;

	if (input == 0 && likely(SELF(find)(ntohl(pkt_dst_ip(p)), &word)))
		return SELF(send_cached)(p, word);
#if USERSPACE
	return SELF(ask)(p, input);
#else
	if (input || runtime_listens(p) || !(word = SELF(doubtful)(pkt_dst_ip(p))))
		return PUNT;
	return SELF(send_cached)(p, word);
#endif
}
