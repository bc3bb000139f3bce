#include "ip6/siit64.h"
#include "ip6/siit.inc.h"

static __always_inline __be32 SELF(address)(const __u8 *from)
{
	__be32 address;

	if (SELF(map4)(from, &address))
		return address;
	return siit_embedded(from, (struct siit_prefix){.address = cfg.prefix.addr, .length = cfg.prefix_length});
}

static __always_inline void SELF(mark)(struct pkt *p, __be32 destination)
{
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(struct iphdr));
	pkt_set_dst_ip(p, destination);
}

static __always_inline int SELF(odd)(struct pkt *p)
{
#if USERSPACE
	struct siit_head head;

	if (!siit_64(SELF(address), cfg.fragmentable, p->data, pkt_len(p), &head))
		return SELF(refuse)();
	if (!SELF(behead)(p, &head))
		return DROP(NO_MEMORY);
	siit_finish_64(p->data, pkt_len(p), &head);
	SELF(mark)(p, ((const struct iphdr *)p->data)->daddr);
	return OUTPUT(0);
#else
	return PUNT;
#endif
}

static __always_inline void SELF(write)(struct iphdr *new, const struct ip6_header *ip)
{
	new->version = 4;
	new->ihl = sizeof(*new) / 4;
	new->tos = ntohl(ip->first) >> 20;
	new->tot_len = htons((__u16)(ntohs(ip->length) + sizeof(*new)));
	new->id = 0;
	new->frag_off = htons(IP_DF);
	new->ttl = ip->hops;
	new->protocol = ip->next == IP6_ICMP ? PROTOCOL_ICMP : ip->next;
	new->check = 0;
}

static __always_inline struct siit_sums SELF(sums)(const struct ip6_header *ip, const struct iphdr *new)
{
	const __u64 pseudo = ip6_pseudo_sum(ip->source, ip->destination, ntohs(ip->length), IP6_ICMP);

	return (struct siit_sums){.from = siit_sum_ip6(ip), .to = siit_sum_ip4(new), .pseudo_from = checksum_fold(pseudo)};
}

/* Whether only the header needs to be replaced. */
static __always_inline bool SELF(is_plain)(struct pkt *p, const struct ip6_header *ip)
{
	const __u8 *message;

	if (ip->next != IP6_ICMP)
		return !ip6_is_extension(ip->next);
	message = pkt_data(p, sizeof(*ip), sizeof(struct icmp6_header));
	return !message || message[0] == ICMP6_ECHO || message[0] == ICMP6_ECHO_REPLY;
}

ELEMENT(ProtocolTranslator64)
{
	const struct ip6_header *at = pkt_data(p, 0, sizeof(*at));
	struct siit_sums sums;
	struct ip6_header ip;
	struct iphdr new, *to;
	__u16 before;

	if (!at || ip6_version(at) != 6)
		return SELF(refuse)();
	new.saddr = SELF(address)(at->source);
	new.daddr = SELF(address)(at->destination);
	if (!new.saddr || !new.daddr)
		return SELF(refuse)();
	ip = *at;
	if (ntohs(ip.length) > 0xffff - sizeof(new) || sizeof(ip) + ntohs(ip.length) > pkt_len(p))
		return SELF(refuse)();
	if (!SELF(is_plain)(p, &ip) || sizeof(ip) + ntohs(ip.length) != pkt_len(p))
		return SELF(odd)(p);
	SELF(write)(&new, &ip);
	sums = SELF(sums)(&ip, &new);
	if (!siit_update_message(p, ip.next, &sums, &before))
		return SELF(refuse)();
	if (cfg.fragmentable && ntohs(new.tot_len) <= SIIT_SHORT) {
		new.frag_off = 0;
		new.id = siit_identification(before, ntohs(new.tot_len));
	}
	new.check = ~checksum_fold(ip_sum20(&new));
	pkt_pull(p, sizeof(ip) - sizeof(new));
	to = pkt_data(p, 0, sizeof(*to));
	if (!to)
		return DROP(MALFORMED);
	*to = new;
	SELF(mark)(p, new.daddr);
	return OUTPUT(0);
}
