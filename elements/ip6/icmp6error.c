#include "ip6/address.h"
#include "ip6/checksum.h"
#include "ip6/icmp6.h"
#include "common/hosts.inc.h"

/* A redirect has two addresses, an option with the Ethernet address of the better next hop if known, and an option with the packet
 * (RFC 4861, 4.5 and 4.6.3). It never exceeds the minimum MTU, whatever MTU is.
 */
#define REDIRECT_MORE (16 + 16 + 8)
#define REDIRECT_MOST 1280
#define LINK_OPTION 8
#define TARGET_LINK 2
#define REDIRECTED_HEADER 4

#if USERSPACE && defined(OTHER_neighbours)
static __always_inline __u64 OTHER(neighbours, link_of)(const __u8 *address);
#endif

/* The Ethernet address of a neighbour, in the lower 6 bytes, or 0. */
static __always_inline __u64 SELF(link_of)(const __u8 *address UNUSED)
{
#if USERSPACE && defined(OTHER_neighbours)
	return OTHER(neighbours, link_of)(address);
#else
	return 0;
#endif
}

static __always_inline bool SELF(is_of_link)(const __u8 *address)
{
	return (word16(address) & htons(0xffc0)) == htons(0xfe80);
}

/* Errors about packets to groups are sent only for path MTU discovery and about unknown options (RFC 4443, 2.4 e.3). */
static __always_inline bool SELF(may_be_about_groups)(void)
{
	return cfg.type == ICMP6_PACKET_TOO_BIG || (cfg.type == ICMP6_PARAMETER_PROBLEM && cfg.code == 2);
}

/* RFC 4861, 8.1: the better next hop is the destination itself, or a router's link-local address. */
static __always_inline bool SELF(may_be_target)(const __u8 *gateway, const __u8 *destination)
{
	return SELF(is_of_link)(gateway) || ip6_equal(gateway, destination);
}

/* RFC 4443, 2.4 e: no errors about errors and redirects, and only to sources that are a single node. */
static __always_inline bool SELF(may_cause_error)(struct pkt *p, const struct ip6_header *ip)
{
	const struct ip6_inner inner = ip6_walk(p, ip);
	const bool to_group = ip6_is_multicast(ip->destination) || pkt_is_to_group(p);

	if (inner.protocol == IP6_ICMP) {
		const struct icmp6_header *icmp = ip6_inner_header(p, &inner, IP6_ICMP, sizeof(*icmp));

		if (!icmp || icmp6_is_error(icmp->type) || icmp->type == ICMP6_REDIRECT)
			return false;
	}
	if (to_group && !SELF(may_be_about_groups)())
		return false;
	if (cfg.type == ICMP6_REDIRECT && !SELF(may_be_target)(p->anno + DST_IP6_ANNO, ip->destination))
		return false;
	return !ip6_is_zero(ip->source) && !ip6_is_multicast(ip->source) && !ip6_is_loopback(ip->source);
}

/* Above the rates, no more errors are sent (RFC 4443, 2.4 f). */
static __always_inline int SELF(refuse)(struct pkt *p)
{
	count(counters, limited, pkt_packets(p));
	return DROP(LIMITED);
}

/* The receiver for rate limits: a network of 64 bits, since one host may have all of its addresses; for link-local addresses, which
 * share one network, the host.
 */
static __always_inline __u64 SELF(receiver)(const __u8 *source)
{
	return SELF(is_of_link)(source) ? ip6_low(source) : ip6_high(source);
}

/* Fields of the packet that the error needs, saved before they are overwritten. */
struct SELF(cause) {
	__u8 source[16], destination[16], gateway[16];
	__u64 link;	/* the gateway's Ethernet address in the lower 6 bytes, or 0 */
	__u8 pointer;
};

/* Cut the packet to fit; it begins with `room` bytes for headers. */
static __always_inline void SELF(shorten)(struct pkt *p, __u32 room)
{
	__u32 most = cfg.type == ICMP6_REDIRECT ? REDIRECT_MOST : cfg.mtu;

	if (cfg.type == ICMP6_REDIRECT && pkt_len(p) < most)
		most = room + ((pkt_len(p) - room) & ~7u);	/* the length of an option is a multiple of 8 bytes */
	if (pkt_len(p) > most)
		pkt_trim(p, most);
}

static __always_inline void SELF(write_redirect)(__u8 *more, const struct SELF(cause) *cause, __u32 quoted)
{
	ip6_copy(more, cause->gateway);
	ip6_copy(more + 16, cause->destination);
	more += 32;
	if (cause->link) {
		more[0] = TARGET_LINK;
		more[1] = LINK_OPTION / 8;
		ether_copy(more + 2, (const __u8 *)&cause->link);
		more += LINK_OPTION;
	}
	word32(more) = 0;
	word32(more + 4) = 0;
	more[0] = REDIRECTED_HEADER;
	more[1] = 1 + quoted / 8;
}

static __always_inline void SELF(write_ip)(struct ip6_header *ip, const struct SELF(cause) *cause, __u32 length)
{
	ip->first = htonl(6u << 28);
	ip->length = htons((__u16)length);
	ip->next = IP6_ICMP;
	ip->hops = 255;
	ip6_copy(ip->source, ip6_var(var(vars), src));
	ip6_copy(ip->destination, cause->source);
}

/* Write the headers into the packet's first `room` bytes. False if the kernel path can't sum its bytes. */
static __always_inline bool SELF(write)(struct pkt *p, const struct SELF(cause) *cause, __u32 room)
{
	struct ip6_header *ip = pkt_data(p, 0, room);
	struct icmp6_header *icmp = (struct icmp6_header *)(ip + 1);
	const __u32 length = pkt_len(p) - sizeof(*ip);
	__u64 sum;

	if (!ip)
		return false;
	SELF(write_ip)(ip, cause, length);
	icmp->type = cfg.type;
	icmp->code = cfg.code;
	icmp->checksum = 0;
	icmp->rest = cfg.type == ICMP6_PACKET_TOO_BIG ? htonl(var(vars)->pmtu) :
		     cfg.type == ICMP6_PARAMETER_PROBLEM ? htonl((__u32)cause->pointer) : 0;
	if (cfg.type == ICMP6_REDIRECT)
		SELF(write_redirect)((__u8 *)(icmp + 1), cause, pkt_len(p) - room);
	sum = ip6_pseudo_sum(ip->source, ip->destination, length, IP6_ICMP);
	if (!sum_bytes(p, sizeof(*ip), length, &sum))
		return false;
	icmp->checksum = ~checksum_fold(sum);
	return true;
}

/* The packet itself becomes the error, so that the element also works in pull context. The kernel path hands over GSO packets, as
 * each segment needs an error, packets too long to sum, and redirects that need the table of neighbours.
 */
MARKED_ELEMENT(ICMP6Error, const struct ip6_header, ip)
{
	__u32 room = sizeof(*ip) + sizeof(struct icmp6_header) + (cfg.type == ICMP6_REDIRECT ? REDIRECT_MORE : 0);
	struct SELF(cause) cause;
	__u64 *level;

	if (!SELF(may_cause_error)(p, ip))
		return DROP(FILTERED);
	level = SELF(host_level)(SELF(receiver)(ip->source));
	if (!level)
		return DROP(MALFORMED);
	if (!SELF(is_permitted)(level))
		return SELF(refuse)(p);
	ip6_copy(cause.source, ip->source);
	ip6_copy(cause.destination, ip->destination);
	ip6_copy(cause.gateway, p->anno + DST_IP6_ANNO);
	cause.pointer = pkt_anno_u8(p, ICMP_PARAMPROB_ANNO);
	cause.link = SELF(link_of)(cause.gateway);
	room += cause.link ? LINK_OPTION : 0;
	if (!USERSPACE && (cfg.asks || cfg.mtu > SUM_MOST || pkt_is_offloaded(p)))
		return PUNT;
	if (!pkt_begin(p, pkt_network_offset(p) - (int)room))
		return USERSPACE ? DROP(NO_MEMORY) : PUNT;
	if (!SELF(is_granted)(level))
		return SELF(refuse)(p);
	SELF(shorten)(p, room);
	if (!SELF(write)(p, &cause, room))
		return DROP(NO_MEMORY);
	pkt_renew(p);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip6(p, cause.source);
	pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, cfg.set_fix_anno && cfg.type != ICMP6_REDIRECT);
	return OUTPUT(0);
}
