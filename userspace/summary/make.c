/* Headers of packets made from summaries. A header is made when the first field needs it. */
#include "summary/field.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <linux/if_ether.h>
#include <netinet/icmp6.h>
#include "summary/number.h"

#define TTL 100

bool make_room(struct summary_maker *m, int n)
{
	if (m->failed || !pkt_put(m->p, n)) {
		m->failed = true;
		return false;
	}
	if (m->zero)
		memset(m->p->tail - n, 0, n);
	return true;
}

static bool make_ip_header(struct summary_maker *m)
{
	struct iphdr *ip;

	if (!m->is_ip)
		return false;
	if (!pkt_has_network_header(m->p))
		pkt_set_network_header(m->p, 0);
	if (!make_room(m, sizeof(*ip) - made_network_length(m)))
		return false;
	m->p->trans = m->p->net + sizeof(*ip);
	ip = made_ip(m);
	ip->version = 4;
	ip->ihl = 5;
	ip->protocol = m->protocol;
	ip->tot_len = 0;
	ip->frag_off = 0;
	ip->ttl = TTL;
	if (m->flow) {
		memcpy(&ip->saddr, m->flow->src, sizeof(ip->saddr));
		memcpy(&ip->daddr, m->flow->dst, sizeof(ip->daddr));
	}
	return true;
}

static bool make_ip6_header(struct summary_maker *m)
{
	struct ip6_hdr *ip6;

	if (!pkt_has_network_header(m->p))
		pkt_set_network_header(m->p, 0);
	else
		((struct ethhdr *)(m->p->head + m->p->mac))->h_proto = htons(ETH_P_IPV6);
	if (!make_room(m, sizeof(*ip6)))
		return false;
	m->is_ip6 = true;
	m->p->trans = m->p->net + sizeof(*ip6);
	ip6 = made_ip6(m);
	ip6->ip6_flow = htonl(6u << 28);
	ip6->ip6_plen = 0;
	ip6->ip6_nxt = m->protocol;
	ip6->ip6_hlim = TTL;
	if (m->flow) {
		memcpy(&ip6->ip6_src, m->flow->src, sizeof(ip6->ip6_src));
		memcpy(&ip6->ip6_dst, m->flow->dst, sizeof(ip6->ip6_dst));
	}
	return true;
}

bool make_ip(struct summary_maker *m, int protocol)
{
	if (m->failed || !m->is_ip || m->is_ip6)
		return false;
	if (made_network_length(m) < (int)sizeof(struct iphdr) && !make_ip_header(m))
		return false;
	return !protocol || !made_ip(m)->protocol || made_ip(m)->protocol == protocol;
}

bool make_ip6(struct summary_maker *m)
{
	if (m->failed || !m->is_ip)
		return false;
	return m->is_ip6 || (!made_network_length(m) && make_ip6_header(m));
}

bool make_network(struct summary_maker *m, int protocol)
{
	const bool is_ip6 = m->is_ip6 || (m->flow && m->flow->is_ip6 && !made_network_length(m));

	if (!(is_ip6 ? make_ip6(m) : make_ip(m, 0)))
		return false;
	return !protocol || !*made_protocol(m) || *made_protocol(m) == protocol;
}

static int transport_header_length(int protocol)
{
	switch (protocol) {
	case IPPROTO_TCP:
		return sizeof(struct tcphdr);
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
		return sizeof(struct udphdr);
	case IPPROTO_DCCP:
		return 12;
	case IPPROTO_ICMP:
		return sizeof(struct icmphdr);
	case IPPROTO_ICMPV6:
		return sizeof(struct icmp6_hdr);
	}
	return 0;
}

/* Make a header of `length` bytes, truncated if the packet was that short. */
static bool make_transport_header(struct summary_maker *m, int length)
{
	int room = length < 4 ? 4 : length;	/* room for both ports, truncated again below */

	if (!make_transport_room(m, room))
		return false;
	if (*made_protocol(m) == IPPROTO_TCP && length >= 13)
		set_tcp_words(made_transport(m), 5);
	if (m->flow) {
		memcpy(made_transport(m), &m->flow->sport, sizeof(__be16));
		memcpy((char *)made_transport(m) + 2, &m->flow->dport, sizeof(__be16));
	}
	m->p->tail -= room - length;
	return true;
}

bool make_transport(struct summary_maker *m)
{
	int length;

	if (m->failed || !made_first_fragment(m))
		return false;
	if (made_transport_length(m) >= 8)
		return true;
	length = transport_header_length(*made_protocol(m));
	if (m->length && (int)m->length < pkt_transport_offset(m->p) + length)
		length = m->length - pkt_transport_offset(m->p);
	return made_transport_length(m) >= length || make_transport_header(m, length);
}

bool summary_name_value(const struct summary_name *names, int kind, const char *at, const char *end, __u64 *value)
{
	size_t length = end - at;

	for (const struct summary_name *name = names; name->name; name++)
		if (name->kind == kind && strlen(name->name) == length && !memcmp(name->name, at, length)) {
			*value = name->value;
			return true;
		}
	return kind >= SUMMARY_PROTOCOL && number_is(at, end, 0, 32, value);
}

const char *summary_value_name(const struct summary_name *names, int kind, __u64 value)
{
	for (const struct summary_name *name = names; name->name; name++)
		if (name->kind == kind && name->value == value)
			return name->name;
	return NULL;
}

/* -- formats: numbers ------------------------------------------------------------------------------------------------ */

bool scan_number(struct summary_maker *m, const char *at, const char *end, int bits)
{
	return number_is(at, end, 0, bits, &m->value.number);
}

void print_number(const struct summary_view *v, struct text *out)
{
	text_number(out, v->value.number);
}

#define NUMBER_FORMAT(name, bits)                                                            \
	static bool scan_##name(struct summary_maker *m, const char *at, const char *end)    \
	{                                                                                    \
		return scan_number(m, at, end, bits);                                        \
	}                                                                                    \
	FORMAT(name) = {bits / 8, print_number, scan_##name, NULL, NULL}

NUMBER_FORMAT(number8, 8);
NUMBER_FORMAT(number16, 16);
NUMBER_FORMAT(number32, 32);
NUMBER_FORMAT(number64, 64);

/* A missing field, which takes no room in a record. */
GET(none)
{
	(void)v;
	return false;
}

FORMAT(nothing) = {0, print_number, NULL, NULL, NULL};
