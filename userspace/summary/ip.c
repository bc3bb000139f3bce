/* Fields of the IP header (RFC 791), except its options. */
#include "summary/field.h"
#include <arpa/inet.h>
#include "summary/number.h"

enum {
	DF = 0x4000,
	MF = SUMMARY_MORE,
	OFFSET = 0x1fff,
	ECN = 3,
};

static bool has_ip(const struct summary_view *v, int length)
{
	return (v->ip && v->network_length >= length) || summary_missing(v, OF_IP, length);
}

GET_AS(ip_src, has_ip(v, 16) && got_number(v, ntohl(v->ip->saddr)))
SET_AS(ip_src, make_ip(m, 0), made_ip(m)->saddr = htonl(m->value.number))
GET_AS(ip_dst, has_ip(v, 20) && got_number(v, ntohl(v->ip->daddr)))
SET_AS(ip_dst, make_ip(m, 0), made_ip(m)->daddr = htonl(m->value.number))
GET_AS(ip_tos, has_ip(v, 2) && got_number(v, v->ip->tos))
SET_AS(ip_tos, make_ip(m, 0), made_ip(m)->tos = m->value.number)
GET_AS(ip_dscp, has_ip(v, 2) && got_number(v, v->ip->tos >> 2))
SET_AS(ip_dscp, make_ip(m, 0), made_ip(m)->tos = (made_ip(m)->tos & ECN) | m->value.number << 2)
GET_AS(ip_ecn, has_ip(v, 2) && got_number(v, v->ip->tos & ECN))
SET_AS(ip_ecn, make_ip(m, 0), made_ip(m)->tos = (made_ip(m)->tos & ~ECN) | m->value.number)
GET_AS(ip_ttl, has_ip(v, 9) && got_number(v, v->ip->ttl))
SET_AS(ip_ttl, make_ip(m, 0), made_ip(m)->ttl = m->value.number)

/* One character: first fragment, later fragment, Don't Fragment, or none of these. */
GET(ip_frag)
{
	unsigned int field;

	if (!has_ip(v, 8))
		return false;
	field = ntohs(v->ip->frag_off);
	if (field & (MF | OFFSET))
		return got_number(v, field & OFFSET ? 'f' : 'F');
	return got_number(v, field & DF ? '!' : '.');
}

GET_AS(ip_fragoff, has_ip(v, 8) && got_number(v, ntohs(v->ip->frag_off)))
SET_AS(ip_fragoff, make_ip(m, 0), made_ip(m)->frag_off = htons(m->value.number))
SET_AS(ip_frag, true, summary_set_ip_fragoff(m))
GET_AS(ip_id, has_ip(v, 6) && got_number(v, ntohs(v->ip->id)))
SET_AS(ip_id, make_ip(m, 0), made_ip(m)->id = htons(m->value.number))
GET_AS(ip_sum, has_ip(v, 12) && got_number(v, ntohs(v->ip->check)))
SET_AS(ip_sum, make_ip(m, 0), made_ip(m)->check = htons(m->value.number))
GET_AS(ip_proto, has_ip(v, 10) && got_number(v, v->ip->protocol))
SET_AS(ip_proto, make_ip(m, 0), made_ip(m)->protocol = m->value.number)
GET_AS(ip_hl, has_ip(v, 1) && got_number(v, 4 * v->ip->ihl))

/* A longer header is filled with End of Options. */
SET(ip_hl)
{
	int length, more;

	if (!make_ip(m, 0))
		return;
	m->has_ip_hl = true;
	length = (m->value.number + 3) & ~3;
	more = length - 4 * made_ip(m)->ihl;
	if (more > 0) {
		if (!make_room(m, more))
			return;
		m->p->trans = m->p->net + length;
		memset((char *)made_transport(m) - more, 0, more);
	}
	made_ip(m)->ihl = length >> 2;
}

GET(ip_len)
{
	__u32 length = v->ip ? ntohs(v->ip->tot_len) : pkt_len(v->p);

	if (v->extra_length)
		length += pkt_anno_u32(v->p, EXTRA_LENGTH_ANNO);
	return got_number(v, length);
}

SET_AS(ip_len, make_ip(m, 0), m->length = pkt_network_offset(m->p) + m->value.number)

GET(ip_capture_len)
{
	int captured = v->ip ? v->network_length : (int)pkt_len(v->p);
	int length = v->ip ? ntohs(v->ip->tot_len) : captured;

	return got_number(v, length < captured ? length : captured);
}

/* The captured length isn't in the packet: it only implies an IP header. */
SET_AS(ip_capture_len, true, make_ip(m, 0))

/* -- formats -------------------------------------------------------------------------------------------------------- */

static void print_address(const struct summary_view *v, struct text *out)
{
	const __u32 a = v->value.number;

	text_format(out, "%u.%u.%u.%u", a >> 24, a >> 16 & 0xff, a >> 8 & 0xff, a & 0xff);
}

/* Dotted decimal. */
static bool address_is(const char *at, const char *end, __u64 *address)
{
	*address = 0;
	for (int i = 0; i < 4; i++) {
		const char *digits = at;
		unsigned int part = 0;

		for (; at < end && *at >= '0' && *at <= '9' && part <= 255; at++)
			part = 10 * part + (*at - '0');
		if (at == digits || part > 255 || (i < 3 && (at == end || *at++ != '.')))
			return false;
		*address = *address << 8 | part;
	}
	return at == end;
}

bool summary_address(const struct summary_name *names, const char *at, const char *end, __u64 *address)
{
	return address_is(at, end, address) || summary_name_value(names, SUMMARY_IP, at, end, address);
}

static bool scan_address(struct summary_maker *m, const char *at, const char *end)
{
	return summary_address(m->names, at, end, &m->value.number);
}

FORMAT(address) = {4, print_address, scan_address, NULL, NULL};

static void print_protocol(const struct summary_view *v, struct text *out)
{
	switch (v->value.number) {
	case IPPROTO_TCP:
		return text_char(out, 'T');
	case IPPROTO_UDP:
		return text_char(out, 'U');
	case IPPROTO_ICMP:
		return text_char(out, 'I');
	}
	text_number(out, v->value.number);
}

int summary_protocol(const char *at, const char *end)
{
	if (end - at != 1)
		return 0;
	return *at == 'T' ? IPPROTO_TCP : *at == 'U' ? IPPROTO_UDP : *at == 'I' ? IPPROTO_ICMP : 0;
}

static bool scan_protocol(struct summary_maker *m, const char *at, const char *end)
{
	m->value.number = summary_protocol(at, end);
	return m->value.number || scan_number(m, at, end, 8);
}

FORMAT(protocol) = {1, print_protocol, scan_protocol, NULL, NULL};

/* RFC 3168: 1 is ECT(1), 2 is ECT(0), named ect2 in Click. */
static void print_ecn(const struct summary_view *v, struct text *out)
{
	static const char *const names[] = {"no", "ect1", "ect2", "ce"};

	text_string(out, names[v->value.number]);
}

static bool scan_ecn(struct summary_maker *m, const char *at, const char *end)
{
	static const char *const names[][4] = {
		{"0", "1", "2", "3"}, {"no", "ect1", "ect2", "ce"}, {"no", "ECT(1)", "ECT(0)", "CE"},
	};

	for (int spelling = 0; spelling < 3; spelling++)
		for (int value = 0; value < 4; value++) {
			if (strlen(names[spelling][value]) != (size_t)(end - at) || memcmp(names[spelling][value], at, end - at))
				continue;
			m->value.number = value;
			return true;
		}
	return false;
}

FORMAT(ecn) = {1, print_ecn, scan_ecn, NULL, NULL};

/* Scan the flags and the offset: one of four characters, or an offset in bytes, followed by + and !. */
static bool scan_fragment(struct summary_maker *m, const char *at, const char *end)
{
	static const struct {
		char c;
		__u16 field;
	} words[] = {{'.', 0}, {'!', DF}, {'F', MF}, {'f', 100}};	/* any later fragment */
	__u64 offset = 0;

	for (int i = 0; end - at == 1 && i < 4; i++)
		if (*at == words[i].c) {
			m->value.number = words[i].field;
			return true;
		}
	if (at == end)
		return false;
	at = number_at(at, end, 0, 32, &offset, NULL);
	if (m->version > 0)
		offset >>= 3;	/* the first version of the format counted in units of 8 bytes */
	for (; at < end && (*at == '!' || *at == '+'); at++)
		offset |= *at == '!' ? DF : MF;
	m->value.number = offset;
	return at == end;
}

static void print_fragment(const struct summary_view *v, struct text *out)
{
	text_char(out, v->value.number);
}

static bool unpack_fragment(struct summary_maker *m, const __u8 *at, int length __attribute__((unused)))
{
	return scan_fragment(m, (const char *)at, (const char *)at + 1);
}

FORMAT(fragment) = {1, print_fragment, scan_fragment, NULL, unpack_fragment};

static void print_offset(const struct summary_view *v, struct text *out)
{
	text_number(out, (v->value.number & OFFSET) << 3);
	if (v->value.number & MF)
		text_char(out, '+');
	if (v->value.number & DF)
		text_char(out, '!');
}

FORMAT(fragment_offset) = {2, print_offset, scan_fragment, NULL, NULL};
