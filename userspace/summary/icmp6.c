/* Fields of ICMPv6 (RFC 4443), whose names and types differ from ICMP's. */
#include "summary/field.h"
#include <arpa/inet.h>
#include <netinet/icmp6.h>

/* The header, if its first `length` bytes are there. */
static const struct icmp6_hdr *icmp6_of(const struct summary_view *v, int length)
{
	if (v->ip6 && v->transport && v->protocol == IPPROTO_ICMPV6 && v->transport_length >= length)
		return (const struct icmp6_hdr *)v->transport;
	summary_missing(v, IPPROTO_ICMPV6, length);
	return NULL;
}

static bool is_echo(int type)
{
	return type == ICMP6_ECHO_REQUEST || type == ICMP6_ECHO_REPLY;
}

/* The header of a packet that is being made, or NULL if that isn't ICMPv6. */
static struct icmp6_hdr *make_icmp6(struct summary_maker *m)
{
	if (!make_ip6(m) || !make_network(m, IPPROTO_ICMPV6) || !make_transport(m) ||
	    !make_transport_room(m, sizeof(struct icmp6_hdr)))
		return NULL;
	return made_transport(m);
}

/* The same for a field that only messages of some types have; NULL if the type is known and isn't one of them. */
static struct icmp6_hdr *make_typed(struct summary_maker *m, bool (*has_field)(int type))
{
	struct icmp6_hdr *icmp = make_icmp6(m);

	return icmp && (!m->has_icmp_type || has_field(icmp->icmp6_type)) ? icmp : NULL;
}

GET(icmp6_type)
{
	const struct icmp6_hdr *icmp = icmp6_of(v, 1);

	return icmp && got_number(v, icmp->icmp6_type);
}

SET(icmp6_type)
{
	struct icmp6_hdr *icmp = make_icmp6(m);

	if (!icmp)
		return;
	icmp->icmp6_type = m->value.number;
	m->has_icmp_type = true;
}

GET(icmp6_code)
{
	const struct icmp6_hdr *icmp = icmp6_of(v, 2);

	return icmp && got_number(v, icmp->icmp6_code);
}

SET(icmp6_code)
{
	struct icmp6_hdr *icmp = make_icmp6(m);

	if (icmp)
		icmp->icmp6_code = m->value.number;
}

GET(icmp6_flowid)
{
	const struct icmp6_hdr *icmp = icmp6_of(v, 1);

	return icmp && is_echo(icmp->icmp6_type) && icmp6_of(v, 6) && got_number(v, ntohs(icmp->icmp6_id));
}

SET(icmp6_flowid)
{
	struct icmp6_hdr *icmp = make_typed(m, is_echo);

	if (icmp)
		icmp->icmp6_id = htons(m->value.number);
}

GET(icmp6_seq)
{
	const struct icmp6_hdr *icmp = icmp6_of(v, 1);

	return icmp && is_echo(icmp->icmp6_type) && icmp6_of(v, 8) && got_number(v, ntohs(icmp->icmp6_seq));
}

SET(icmp6_seq)
{
	struct icmp6_hdr *icmp = make_typed(m, is_echo);

	if (icmp)
		icmp->icmp6_seq = htons(m->value.number);
}

static bool is_too_big(int type)
{
	return type == ICMP6_PACKET_TOO_BIG;
}

GET(icmp6_mtu)
{
	const struct icmp6_hdr *icmp = icmp6_of(v, 1);

	return icmp && is_too_big(icmp->icmp6_type) && icmp6_of(v, 8) && got_number(v, ntohl(icmp->icmp6_mtu));
}

SET(icmp6_mtu)
{
	struct icmp6_hdr *icmp = make_typed(m, is_too_big);

	if (icmp)
		icmp->icmp6_mtu = htonl(m->value.number);
}
