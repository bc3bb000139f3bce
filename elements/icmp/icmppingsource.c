/* ICMPPingSource: sends ICMP echo requests, and times the replies. */
#include "icmp/icmp.h"
#include "ip/encap.h"

#define PING_HEADERS (sizeof(struct iphdr) + sizeof(struct icmp_header))

static void SELF(write)(struct pkt *p, const struct SELF(source) *s, __u16 number)
{
	struct iphdr *ip = (struct iphdr *)p->data;
	struct icmp_header *icmp = (struct icmp_header *)(ip + 1);
	struct ip_fields fields = {
		.ttl = 200, .protocol = PROTOCOL_ICMP, .id = number, .source = s->src, .destination = s->dst,
	};

	ip_write(p, ip, &fields);
	memset(icmp, 0, sizeof(*icmp));
	icmp->type = ICMP_ECHO;
	icmp->identifier = cfg.identifier;	/* in host byte order, as in Click */
	icmp->sequence = htons(number);
	icmp->checksum = checksum(icmp, pkt_len(p) - sizeof(*ip));
}

static int SELF(answered)(struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct icmp_header *icmp = pkt_transport_header(p, sizeof(*icmp));

	if (!ip || !icmp || ip->protocol != PROTOCOL_ICMP || icmp->type != ICMP_ECHO_REPLY || icmp->identifier != cfg.identifier)
		return -1;
	return ntohs(icmp->sequence);
}

static void SELF(report)(struct pkt *p, __u32 took)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct icmp_header *icmp = pkt_transport_header(p, sizeof(*icmp));
	const __u8 *from = (const __u8 *)&ip->saddr;

	fprintf(stderr, "%s :: ICMPPingSource: %d bytes from %u.%u.%u.%u: icmp_seq=%u ttl=%u time=%u.%03u ms\n", SELF(name),
		(int)(ntohs(ip->tot_len) - ip_header_length(ip) - sizeof(*icmp)), from[0], from[1], from[2], from[3],
		ntohs(icmp->sequence), ip->ttl, took / 1000, took % 1000);
}

#include "icmp/pingsource.inc.h"

ELEMENT(ICMPPingSource)
{
	return SELF(receive)(p);
}
