/* ICMP6PingSource: sends ICMPv6 echo requests, and times the answers. */
#include "ip6/icmp6.h"

/* Not from <arpa/inet.h>: that would make htonl() a function, also in later elements, which use it in constants. */
const char *inet_ntop(int family, const void *from, char *to, unsigned int size);

#define PING_HEADERS (sizeof(struct ip6_header) + sizeof(struct icmp6_header))

static void SELF(write)(struct pkt *p, const struct SELF(source) *s, __u16 number)
{
	struct ip6_header *ip = (struct ip6_header *)p->data;
	struct icmp6_header *icmp = (struct icmp6_header *)(ip + 1);
	const __u32 length = pkt_len(p) - sizeof(*ip);

	ip->first = htonl(6u << 28);
	ip->length = htons((__u16)length);
	ip->next = IP6_ICMP;
	ip->hops = 200;
	ip6_copy(ip->source, s->src);
	ip6_copy(ip->destination, s->dst);
	memset(icmp, 0, sizeof(*icmp));
	icmp->type = ICMP6_ECHO;
	icmp->identifier = htons(cfg.identifier);
	icmp->sequence = htons(number);
	icmp->checksum = ~checksum_fold(ip6_pseudo_sum(ip->source, ip->destination, length, IP6_ICMP) + (__u16)~checksum(icmp, length));
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip6(p, ip->destination);
}

static const struct icmp6_header *SELF(reply)(struct pkt *p, const struct ip6_header *ip, struct ip6_inner *inner)
{
	*inner = ip6_walk(p, ip);
	return ip6_inner_header(p, inner, IP6_ICMP, sizeof(struct icmp6_header));
}

static int SELF(answered)(struct pkt *p)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_inner inner;
	const struct icmp6_header *icmp = ip ? SELF(reply)(p, ip, &inner) : NULL;

	return icmp && icmp->type == ICMP6_ECHO_REPLY && icmp->identifier == htons(cfg.identifier) ? ntohs(icmp->sequence) : -1;
}

static void SELF(report)(struct pkt *p, __u32 took)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	struct ip6_inner inner;
	const struct icmp6_header *icmp = SELF(reply)(p, ip, &inner);
	char from[46]; /* INET6_ADDRSTRLEN */

	inet_ntop(10 /* AF_INET6 */, ip->source, from, sizeof(from));
	fprintf(stderr, "%s :: ICMP6PingSource: %d bytes from %s: icmp_seq=%u hlim=%u time=%u.%03u ms\n", SELF(name),
		ip6_inner_length(ip, &inner) - (int)sizeof(*icmp), from, ntohs(icmp->sequence), ip->hops, took / 1000, took % 1000);
}

#include "icmp/pingsource.inc.h"

ELEMENT(ICMP6PingSource)
{
	return SELF(receive)(p);
}
