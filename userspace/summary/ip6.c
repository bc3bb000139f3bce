/* Fields of the IPv6 header (RFC 8200) and of its fragment header. */
#include "summary/field.h"
#include <arpa/inet.h>

enum {
	TRAFFIC_CLASS = 20,	/* the lowest bit of the traffic class within the first word, host order */
	FLOW_LABEL = 0xfffff,
	MORE = 1,
	OFFSET = 0xfff8,
	ECN = 3,
};

static bool has_ip6(const struct summary_view *v)
{
	return v->ip6 || summary_missing(v, OF_IP6, 0);
}

static __u32 first_word(const struct ip6_hdr *ip6)
{
	return ntohl(ip6->ip6_flow);
}

static __u8 traffic_class(const struct ip6_hdr *ip6)
{
	return first_word(ip6) >> TRAFFIC_CLASS;
}

static void set_bits(struct summary_maker *m, __u32 mask, __u32 bits)
{
	if (make_ip6(m))
		made_ip6(m)->ip6_flow = htonl((first_word(made_ip6(m)) & ~mask) | (bits & mask));
}

GET_AS(ip6_src, has_ip6(v) && got_bytes(v, &v->ip6->ip6_src, sizeof(v->ip6->ip6_src)))
SET_AS(ip6_src, make_ip6(m), memcpy(&made_ip6(m)->ip6_src, m->value.bytes, sizeof(struct in6_addr)))
GET_AS(ip6_dst, has_ip6(v) && got_bytes(v, &v->ip6->ip6_dst, sizeof(v->ip6->ip6_dst)))
SET_AS(ip6_dst, make_ip6(m), memcpy(&made_ip6(m)->ip6_dst, m->value.bytes, sizeof(struct in6_addr)))
GET_AS(ip6_tclass, has_ip6(v) && got_number(v, traffic_class(v->ip6)))
SET_AS(ip6_tclass, true, set_bits(m, 0xff << TRAFFIC_CLASS, m->value.number << TRAFFIC_CLASS))
GET_AS(ip6_dscp, has_ip6(v) && got_number(v, traffic_class(v->ip6) >> 2))
SET_AS(ip6_dscp, true, set_bits(m, 0xfc << TRAFFIC_CLASS, m->value.number << (TRAFFIC_CLASS + 2)))
GET_AS(ip6_ecn, has_ip6(v) && got_number(v, traffic_class(v->ip6) & ECN))
SET_AS(ip6_ecn, true, set_bits(m, ECN << TRAFFIC_CLASS, m->value.number << TRAFFIC_CLASS))
GET_AS(ip6_flow, has_ip6(v) && got_number(v, first_word(v->ip6) & FLOW_LABEL))
SET_AS(ip6_flow, true, set_bits(m, FLOW_LABEL, m->value.number))
GET_AS(ip6_hlim, has_ip6(v) && got_number(v, v->ip6->ip6_hlim))
SET_AS(ip6_hlim, make_ip6(m), made_ip6(m)->ip6_hlim = m->value.number)
GET_AS(ip6_len, has_ip6(v) && got_number(v, sizeof(*v->ip6) + ntohs(v->ip6->ip6_plen)))
SET_AS(ip6_len, make_ip6(m), m->length = pkt_network_offset(m->p) + m->value.number)
GET_AS(ip6_capture_len, has_ip6(v) && got_number(v, v->network_length))

/* The captured length isn't in the packet: it only implies an IPv6 header. */
SET_AS(ip6_capture_len, true, make_ip6(m))
GET_AS(ip6_nxt, has_ip6(v) && got_number(v, v->ip6->ip6_nxt))

/* Extension headers aren't made, so their numbers only imply an IPv6 header. */
SET(ip6_nxt)
{
	switch (m->value.number) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_FRAGMENT:
	case IPPROTO_AH:
	case IPPROTO_DSTOPTS:
		make_ip6(m);
		break;
	default:
		if (make_ip6(m))
			*made_protocol(m) = m->value.number;
	}
}

GET_AS(ip6_proto, has_ip6(v) && v->chain.protocol >= 0 && got_number(v, v->chain.protocol))
SET_AS(ip6_proto, make_ip6(m), *made_protocol(m) = m->value.number)

/* -- fragments ------------------------------------------------------------------------------------------------------ */

/* The header is complete: the chain only has complete ones. */
static const struct ip6_frag *fragment_of(const struct summary_view *v)
{
	return v->ip6 && v->chain.fragment ? (const void *)((const __u8 *)v->ip6 + v->chain.fragment) : NULL;
}

static struct ip6_frag *make_fragment(struct summary_maker *m)
{
	struct ip6_frag header = {0};

	if (!make_ip6(m))
		return NULL;
	if (made_fragment(m))
		return made_fragment(m);
	if (!make_room(m, sizeof(header)))
		return NULL;
	header.ip6f_nxt = made_ip6(m)->ip6_nxt;
	made_ip6(m)->ip6_nxt = IPPROTO_FRAGMENT;
	memcpy(made_fragment(m), &header, sizeof(header));
	m->p->trans += sizeof(header);
	return made_fragment(m);
}

/* One character: first fragment, later fragment, or neither. */
GET(ip6_frag)
{
	const struct ip6_frag *fragment = fragment_of(v);
	__u16 field = fragment ? ntohs(fragment->ip6f_offlg) : 0;

	if (!has_ip6(v))
		return false;
	return got_number(v, field & OFFSET ? 'f' : field & MORE ? 'F' : '.');
}

/* In the format's encoding, the IPv4 header's. */
GET(ip6_fragoff)
{
	const struct ip6_frag *fragment = fragment_of(v);
	__u16 field = fragment ? ntohs(fragment->ip6f_offlg) : 0;

	return has_ip6(v) && got_number(v, (field & OFFSET) >> 3 | (field & MORE ? SUMMARY_MORE : 0));
}

/* Only fragments get a fragment header. */
SET(ip6_fragoff)
{
	const __u16 field = m->value.number << 3 | (m->value.number & SUMMARY_MORE ? MORE : 0);
	struct ip6_frag *fragment = field || (m->is_ip6 && made_fragment(m)) ? make_fragment(m) : NULL;

	if (fragment)
		fragment->ip6f_offlg = htons(field);
}

SET_AS(ip6_frag, true, summary_set_ip6_fragoff(m))

GET(ip6_id)
{
	const struct ip6_frag *fragment = fragment_of(v);

	return has_ip6(v) && fragment && got_number(v, ntohl(fragment->ip6f_ident));
}

SET(ip6_id)
{
	struct ip6_frag *fragment = make_fragment(m);

	if (fragment)
		fragment->ip6f_ident = htonl(m->value.number);
}

/* -- formats -------------------------------------------------------------------------------------------------------- */

/* RFC 5952. */
static void print_address6(const struct summary_view *v, struct text *out)
{
	char text[INET6_ADDRSTRLEN];

	text_string(out, inet_ntop(AF_INET6, v->value.bytes, text, sizeof(text)));
}

bool summary_address6(const char *at, const char *end, __u8 *address)
{
	char text[INET6_ADDRSTRLEN];
	const size_t length = end - at;

	if (length >= sizeof(text))
		return false;
	memcpy(text, at, length);
	text[length] = '\0';
	return inet_pton(AF_INET6, text, address) == 1;
}

static bool scan_address6(struct summary_maker *m, const char *at, const char *end)
{
	struct in6_addr address;

	if (!summary_address6(at, end, address.s6_addr))
		return false;
	text_clear(&m->scratch);
	text_add(&m->scratch, &address, sizeof(address));
	m->value.bytes = (__u8 *)m->scratch.bytes;
	return m->scratch.length == sizeof(address);
}

static void pack_address6(const struct summary_view *v, bool found, struct text *out)
{
	pack_bytes(v, found, sizeof(struct in6_addr), out);
}

FORMAT(address6) = {sizeof(struct in6_addr), print_address6, scan_address6, pack_address6, unpack_bytes};
