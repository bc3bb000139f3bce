/* Fields of ICMPv6 (RFC 4443). Their names and types differ from ICMP's. */
#include "summary/field.h"
#include <arpa/inet.h>
#include <netinet/icmp6.h>

static bool has_icmp6(const struct summary_view *v, int length)
{
	return (v->ip6 && v->transport && v->protocol == IPPROTO_ICMPV6 && v->transport_length >= length) ||
	       summary_missing(v, IPPROTO_ICMPV6, length);
}

static const struct icmp6_hdr *icmp6_of(const struct summary_view *v)
{
	return (const struct icmp6_hdr *)v->transport;
}

/* Whether a field that only some ICMPv6 types have is present: the type is right, and the message has at least `length` bytes. */
static bool has_typed(const struct summary_view *v, bool (*has_field)(int type), int length)
{
	return has_icmp6(v, 1) && has_field(icmp6_of(v)->icmp6_type) && has_icmp6(v, length);
}

static bool is_echo(int type)
{
	return type == ICMP6_ECHO_REQUEST || type == ICMP6_ECHO_REPLY;
}

static bool is_too_big(int type)
{
	return type == ICMP6_PACKET_TOO_BIG;
}

/* Ensure that the packet has an ICMPv6 header; false if it can't. */
static bool make_icmp6(struct summary_maker *m)
{
	return make_ip6(m) && make_network(m, IPPROTO_ICMPV6) && make_transport(m) && make_transport_room(m, sizeof(struct icmp6_hdr));
}

static struct icmp6_hdr *made_icmp6(const struct summary_maker *m)
{
	return made_transport(m);
}

/* Likewise for a field of certain types only; false if the type is known and isn't one of them. */
static bool make_typed(struct summary_maker *m, bool (*has_field)(int type))
{
	return make_icmp6(m) && (!m->has_icmp_type || has_field(made_icmp6(m)->icmp6_type));
}

GET_AS(icmp6_type, has_icmp6(v, 1) && got_number(v, icmp6_of(v)->icmp6_type))

SET(icmp6_type)
{
	if (!make_icmp6(m))
		return;
	made_icmp6(m)->icmp6_type = m->value.number;
	m->has_icmp_type = true;
}

GET_AS(icmp6_code, has_icmp6(v, 2) && got_number(v, icmp6_of(v)->icmp6_code))
SET_AS(icmp6_code, make_icmp6(m), made_icmp6(m)->icmp6_code = m->value.number)
GET_AS(icmp6_flowid, has_typed(v, is_echo, 6) && got_number(v, ntohs(icmp6_of(v)->icmp6_id)))
SET_AS(icmp6_flowid, make_typed(m, is_echo), made_icmp6(m)->icmp6_id = htons(m->value.number))
GET_AS(icmp6_seq, has_typed(v, is_echo, 8) && got_number(v, ntohs(icmp6_of(v)->icmp6_seq)))
SET_AS(icmp6_seq, make_typed(m, is_echo), made_icmp6(m)->icmp6_seq = htons(m->value.number))
GET_AS(icmp6_mtu, has_typed(v, is_too_big, 8) && got_number(v, ntohl(icmp6_of(v)->icmp6_mtu)))
SET_AS(icmp6_mtu, make_typed(m, is_too_big), made_icmp6(m)->icmp6_mtu = htonl(m->value.number))
