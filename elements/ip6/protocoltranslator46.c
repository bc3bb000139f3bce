#include "ip6/siit46.h"
#include "ip6/siit.inc.h"

static __always_inline void SELF(mark)(struct pkt *p, const struct ip6_header *ip, __u32 more)
{
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip) + more);
	pkt_set_dst_ip6(p, ip->destination);
}

static __always_inline struct siit_prefix SELF(source)(void)
{
	return (struct siit_prefix){.address = cfg.src.addr, .length = cfg.src_length};
}

static __always_inline struct siit_prefix SELF(destination)(void)
{
	return (struct siit_prefix){.address = cfg.dst.addr, .length = cfg.dst_length};
}

/* If both ends have explicit mappings, one was called by its IPv4 address; the source must then be one, too, or replies would
 * bypass the translator (hairpinning, RFC 7757, 4.2.1).
 */
static __always_inline void SELF(addresses)(struct ip6_header *to, const struct iphdr *from, bool quoted, bool hairpin)
{
	__u8 *called = quoted ? to->source : to->destination, *partner = quoted ? to->destination : to->source;
	const __be32 called4 = quoted ? from->saddr : from->daddr, partner4 = quoted ? from->daddr : from->saddr;
	const bool mapped = SELF(map6)(called4, called);

	if (!mapped)
		siit_embed(called, SELF(destination)(), called4);
	if ((mapped && hairpin) || !SELF(map6)(partner4, partner))
		siit_embed(partner, SELF(source)(), partner4);
}

static __always_inline int SELF(odd)(struct pkt *p)
{
#if USERSPACE
	struct siit_head head;

	if (!siit_46(SELF(addresses), p->data, pkt_len(p), &head))
		return SELF(refuse)();
	if (!SELF(behead)(p, &head))
		return DROP(NO_MEMORY);
	siit_finish_46(p->data, pkt_len(p), &head);
	SELF(mark)(p, (const struct ip6_header *)p->data, head.message - sizeof(struct ip6_header));
	return OUTPUT(0);
#else
	return PUNT;
#endif
}

/* Whether only the header needs to be replaced. */
static __always_inline bool SELF(is_plain)(struct pkt *p, const struct iphdr *ip)
{
	if (ip->ihl != 5 || ip_is_fragment(ip))
		return false;
	if (ip->protocol == PROTOCOL_ICMP) {
		const struct icmp_header *icmp = pkt_data(p, sizeof(*ip), sizeof(*icmp));

		return icmp && (icmp->type == ICMP_ECHO || icmp->type == ICMP_ECHO_REPLY) && !siit_is_no_source(ip->saddr);
	}
	if (ip->protocol == PROTOCOL_UDP) {
		const struct udp_header *udp = pkt_data(p, sizeof(*ip), sizeof(*udp));

		return udp && udp->checksum;
	}
	return ip->protocol != PROTOCOL_TCP || pkt_data(p, sizeof(*ip), sizeof(struct tcp_header));
}

static __always_inline void SELF(write)(struct ip6_header *new, const struct iphdr *ip)
{
	new->first = htonl(6u << 28 | (__u32)ip->tos << 20);
	new->length = htons((__u16)(ntohs(ip->tot_len) - sizeof(*ip)));
	new->next = ip->protocol == PROTOCOL_ICMP ? IP6_ICMP : ip->protocol;
	new->hops = ip->ttl;
	SELF(addresses)(new, ip, false, true);
}

static __always_inline struct siit_sums SELF(sums)(const struct iphdr *ip, const struct ip6_header *new)
{
	const __u64 pseudo = ip6_pseudo_sum(new->source, new->destination, ntohs(new->length), IP6_ICMP);

	return (struct siit_sums){.from = siit_sum_ip4(ip), .to = siit_sum_ip6(new), .pseudo_to = checksum_fold(pseudo)};
}

ELEMENT(ProtocolTranslator46)
{
	const struct iphdr *at = pkt_data(p, 0, sizeof(*at));
	struct siit_sums sums;
	struct ip6_header new, *to;
	struct iphdr ip;
	__u16 before;

	if (!at || at->version != 4 || ntohs(at->tot_len) > pkt_len(p) || !at->daddr)
		return SELF(refuse)();
	if (siit_is_no_source(at->saddr) && at->protocol != PROTOCOL_ICMP)
		return SELF(refuse)();
	ip = *at;
	if (!SELF(is_plain)(p, &ip) || ntohs(ip.tot_len) != pkt_len(p))
		return SELF(odd)(p);
	if (!pkt_push(p, sizeof(new) - sizeof(ip)))
		return PUNT;
	SELF(write)(&new, &ip);
	sums = SELF(sums)(&ip, &new);
	to = pkt_data(p, 0, sizeof(*to));
	if (!to || !siit_update_message(p, ip.protocol, &sums, &before))
		return DROP(MALFORMED);
	*to = new;
	SELF(mark)(p, &new, 0);
	return OUTPUT(0);
}
