/* Fields of ICMP (RFC 792, RFC 1191). */
#include "summary/field.h"
#include <arpa/inet.h>

static bool has_icmp(const struct summary_view *v, int length)
{
	return (v->icmp && v->transport_length >= length) || summary_missing(v, IPPROTO_ICMP, length);
}

/* Whether messages of this type have an identifier and a sequence number. */
static bool is_sequenced(int type)
{
	switch (type) {
	case ICMP_ECHO:
	case ICMP_ECHOREPLY:
	case ICMP_INFO_REQUEST:
	case ICMP_INFO_REPLY:
	case ICMP_TIMESTAMP:
	case ICMP_TIMESTAMPREPLY:
		return true;
	}
	return false;
}

static int header_length(int type)
{
	return type == ICMP_TIMESTAMP || type == ICMP_TIMESTAMPREPLY ? 20 : sizeof(struct icmphdr);
}

/* Ensure that the packet has an ICMP header; false if it can't. */
static bool make_icmp(struct summary_maker *m)
{
	return make_ip(m, IPPROTO_ICMP) && make_transport(m) && make_transport_room(m, sizeof(struct icmphdr));
}

static struct icmphdr *made_icmp(const struct summary_maker *m)
{
	return made_transport(m);
}

GET_AS(icmp_type, has_icmp(v, 1) && got_number(v, v->icmp->type))

SET(icmp_type)
{
	if (!make_icmp(m))
		return;
	made_icmp(m)->type = m->value.number;
	m->has_icmp_type = true;
	make_transport_room(m, header_length(m->value.number));
}

GET_AS(icmp_code, has_icmp(v, 2) && got_number(v, v->icmp->code))

SET(icmp_code)
{
	if (!make_icmp(m))
		return;
	made_icmp(m)->code = m->value.number;
	m->has_icmp_code = true;
}

/* Whether the message has a field for an identifier or sequence number, which ends after `length` bytes. */
static bool has_sequenced(const struct summary_view *v, int length)
{
	return has_icmp(v, 1) && is_sequenced(v->icmp->type) && has_icmp(v, length);
}

static bool make_sequenced(struct summary_maker *m)
{
	return make_icmp(m) && (!m->has_icmp_type || is_sequenced(made_icmp(m)->type));
}

GET_AS(icmp_flowid, has_sequenced(v, 6) && got_number(v, ntohs(v->icmp->un.echo.id)))
SET_AS(icmp_flowid, make_sequenced(m), made_icmp(m)->un.echo.id = htons(m->value.number))
GET_AS(icmp_seq, has_sequenced(v, 8) && got_number(v, ntohs(v->icmp->un.echo.sequence)))
SET_AS(icmp_seq, make_sequenced(m), made_icmp(m)->un.echo.sequence = htons(m->value.number))

GET(icmp_nextmtu)
{
	if (!has_icmp(v, 2) || v->icmp->type != ICMP_DEST_UNREACH || v->icmp->code != ICMP_FRAG_NEEDED || !has_icmp(v, 8))
		return false;
	return got_number(v, ntohs(v->icmp->un.frag.mtu));
}

SET(icmp_nextmtu)
{
	if (make_icmp(m) && (!m->has_icmp_type || made_icmp(m)->type == ICMP_DEST_UNREACH) &&
	    (!m->has_icmp_code || made_icmp(m)->code == ICMP_FRAG_NEEDED))
		made_icmp(m)->un.frag.mtu = htons(m->value.number);
}

/* -- formats -------------------------------------------------------------------------------------------------------- */

static void print_named(const struct summary_view *v, int kind, struct text *out)
{
	const char *name = summary_value_name(v->names, kind, v->value.number);

	if (name)
		text_string(out, name);
	else
		text_number(out, v->value.number);
}

static void print_type(const struct summary_view *v, struct text *out)
{
	print_named(v, SUMMARY_ICMP_TYPE, out);
}

static void print_code(const struct summary_view *v, struct text *out)
{
	print_named(v, SUMMARY_ICMP_CODE + v->icmp->type, out);
}

static bool scan_type(struct summary_maker *m, const char *at, const char *end)
{
	return summary_name_value(m->names, SUMMARY_ICMP_TYPE, at, end, &m->value.number) && m->value.number < 256;
}

/* The type has to be known, since the names of codes depend on it. */
static bool scan_code(struct summary_maker *m, const char *at, const char *end)
{
	if (!m->has_icmp_type)
		return scan_number(m, at, end, 8);
	return summary_name_value(m->names, SUMMARY_ICMP_CODE + *(__u8 *)made_transport(m), at, end, &m->value.number) &&
	       m->value.number < 256;
}

FORMAT(icmp_type) = {1, print_number, scan_type, NULL, NULL};
FORMAT(icmp_type_name) = {1, print_type, scan_type, NULL, NULL};
FORMAT(icmp_code) = {1, print_number, scan_code, NULL, NULL};
FORMAT(icmp_code_name) = {1, print_code, scan_code, NULL, NULL};
