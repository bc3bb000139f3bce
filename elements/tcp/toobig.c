/* Links on the way that take smaller packets. */
#include "element.h"
#include "tcpnumbers.h"
#include "tcp/toobig.h"
#include "icmp/icmp.h"
#include "ip6/icmp6.h"
#include "tcp/packets.h"

/* No packet is made smaller than this: of IPv4 as Linux's (ip_rt_min_pmtu), where routers may cut it up; of IPv6 as RFC 8200, 5. */
#define TCP_LEAST_MTU 552
#define TCP_LEAST_MTU6 1280
/* Of TCP's header a message quotes that much at least (RFC 792). */
#define TCP_QUOTED 8

/* The message of so many bytes after the IP header, if its checksum is right. `sum` is a pseudo-header's. */
static const struct icmp6_header *tcp_icmp(struct pkt *p, int header, int length, __u64 sum)
{
	const struct icmp6_header *icmp = pkt_data(p, header, sizeof(*icmp));

	return icmp && length >= (int)sizeof(*icmp) && sum_bytes(p, header, length, &sum) && checksum_fold(sum) == 0xffff ? icmp : NULL;
}

/* The IPv4 header that is quoted, without options as all that TCP sends, or NULL. */
static const void *tcp_quoted(struct pkt *p, const struct iphdr *ip, __u32 *mtu)
{
	const __u32 header = ip_header_length(ip), length = ntohs(ip->tot_len);
	const int at = pkt_network_offset(p) + (int)header;
	const struct icmp6_header *icmp;
	const struct iphdr *quoted;

	if (ip->protocol != PROTOCOL_ICMP || ip_is_fragment(ip) || length < header + sizeof(*icmp) + sizeof(*quoted) + TCP_QUOTED)
		return NULL;
	icmp = tcp_icmp(p, at, length - header, 0);
	quoted = pkt_data(p, at + (int)sizeof(*icmp), sizeof(*quoted) + TCP_QUOTED);
	if (!icmp || icmp->type != ICMP_UNREACHABLE || icmp->code != ICMP_NEED_FRAGMENTATION)
		return NULL;
	*mtu = ntohl(icmp->rest) & 0xffff;
	return quoted && quoted->version == 4 && quoted->ihl == 5 && quoted->protocol == PROTOCOL_TCP ? quoted : NULL;
}

static const void *tcp_quoted6(struct pkt *p, __u32 *mtu)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip)), *quoted;
	const int at = pkt_network_offset(p) + (int)sizeof(*ip);
	const struct icmp6_header *icmp;
	__u32 length;

	if (!ip || ip6_version(ip) != 6 || ip->next != IP6_ICMP)
		return NULL;
	length = ntohs(ip->length);
	icmp = tcp_icmp(p, at, length, ip6_pseudo_sum(ip->source, ip->destination, length, IP6_ICMP));
	quoted = length < sizeof(*icmp) + sizeof(*quoted) + TCP_QUOTED ? NULL :
		pkt_data(p, at + (int)sizeof(*icmp), sizeof(*quoted) + TCP_QUOTED);
	if (!icmp || icmp->type != ICMP6_PACKET_TOO_BIG)
		return NULL;
	*mtu = ntohl(icmp->rest);
	return quoted && ip6_version(quoted) == 6 && quoted->next == PROTOCOL_TCP ? quoted : NULL;
}

/* A window's worth of segments was too big at once: the first message does all. */
static bool tcp_narrow(struct tcp_connections *c, struct tcp *t, __u32 mtu)
{
	const __u32 headers = c->mtu - tcp_own_mss(c, t), least = t->is_ip4 ? TCP_LEAST_MTU : TCP_LEAST_MTU6;
	const bool fragments = t->fragments;

	t->fragments |= t->is_ip4 && mtu < least;
	mtu = (mtu < least ? least : mtu) - headers;
	if (mtu >= t->mss && fragments == t->fragments)
		return false;
	if (mtu < t->mss)
		t->mss = mtu;
	t->next = t->una;
	tcp_ready(c, t);
	return true;
}

bool tcp_hear_too_big(struct tcp_connections *c, struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct tcp_header *tcp;
	const void *quoted;
	struct tcp_key key;
	__u32 mtu, seq;
	struct tcp *t;

	quoted = ip->version == 4 ? tcp_quoted(p, ip, &mtu) : tcp_quoted6(p, &mtu);
	if (!quoted)
		return false;
	tcp = (const void *)((const __u8 *)quoted + (ip->version == 4 ? sizeof(*ip) : sizeof(struct ip6_header)));
	tcp_key_sent(quoted, tcp, &key);
	seq = ntohl(tcp->sequence);
	t = tcp_find(c, &key);
	return t && t->state >= TCP_ESTABLISHED && seq_upto(t->una, seq) && seq_before(seq, t->max) && tcp_narrow(c, t, mtu);
}
