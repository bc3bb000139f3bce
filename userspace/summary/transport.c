/* Fields of transport headers: ports, the UDP length (RFC 768), and the TCP header (RFC 9293) except options. */
#include "summary/field.h"
#include <arpa/inet.h>
#include "summary/number.h"

/* Whether the header begins with two ports, as UDP-Lite's and DCCP's do as well. */
static bool has_ports(int protocol)
{
	return protocol == IPPROTO_TCP || protocol == IPPROTO_UDP || protocol == IPPROTO_DCCP || protocol == IPPROTO_UDPLITE;
}

static bool get_port(struct summary_view *v, int offset)
{
	if (!v->transport || !has_ports(v->protocol) || v->transport_length < offset + 2)
		return summary_missing(v, OF_TCP_OR_UDP, offset + 2);
	return got_number(v, ntohs(*(__be16 *)(v->transport + offset)));
}

/* Store bytes in the transport header under construction. Bytes beyond the intended end of the packet are lost. */
static void store(struct summary_maker *m, int offset, const void *bytes, int size)
{
	int room = made_transport_length(m) - offset;

	if (room > 0)
		memcpy((char *)made_transport(m) + offset, bytes, size < room ? size : room);
}

static void set_port(struct summary_maker *m, int offset)
{
	__be16 port = htons(m->value.number);

	if (!make_network(m, 0) || !make_transport(m))
		return;
	if (!*made_protocol(m) || has_ports(*made_protocol(m)))
		store(m, offset, &port, sizeof(port));
}

GET_AS(sport, get_port(v, 0))
SET_AS(sport, true, set_port(m, 0))
GET_AS(dport, get_port(v, 2))
SET_AS(dport, true, set_port(m, 2))

GET(udp_len)
{
	if (!v->udp || v->transport_length < 6)
		return summary_missing(v, IPPROTO_UDP, 6);
	return got_number(v, ntohs(v->udp->len));
}

SET(udp_len)
{
	int protocol;

	if (!make_network(m, 0) || !make_transport(m))
		return;
	protocol = *made_protocol(m);
	if (protocol && protocol != IPPROTO_UDP && protocol != IPPROTO_UDPLITE)
		return;
	if (make_transport_room(m, sizeof(struct udphdr)))
		((struct udphdr *)made_transport(m))->len = htons(m->value.number);
}

/* -- TCP ------------------------------------------------------------------------------------------------------------ */

static bool has_tcp(const struct summary_view *v, int length)
{
	return (v->tcp && v->transport_length >= length) || summary_missing(v, IPPROTO_TCP, length);
}

static bool make_tcp(struct summary_maker *m)
{
	return make_network(m, IPPROTO_TCP) && make_transport(m);
}

static void set_word(struct summary_maker *m, int offset)
{
	__be32 word = htonl(m->value.number);

	if (make_tcp(m))
		store(m, offset, &word, sizeof(word));
}

static void set_half_word(struct summary_maker *m, int offset)
{
	__be16 half = htons(m->value.number);

	if (make_tcp(m))
		store(m, offset, &half, sizeof(half));
}

GET_AS(tcp_seq, has_tcp(v, 8) && got_number(v, ntohl(v->tcp->seq)))
SET_AS(tcp_seq, true, set_word(m, 4))
GET_AS(tcp_ack, has_tcp(v, 12) && got_number(v, ntohl(v->tcp->ack_seq)))
SET_AS(tcp_ack, true, set_word(m, 8))
GET_AS(tcp_off, has_tcp(v, 13) && got_number(v, 4 * tcp_words(v->tcp)))

/* A longer header is filled with End of Options. */
SET(tcp_off)
{
	int length = (m->value.number + 3) & ~3, more;
	struct tcphdr *tcp;

	if (!make_tcp(m) || made_transport_length(m) < 13)
		return;
	tcp = made_transport(m);
	more = length - 4 * tcp_words(tcp);
	if (more > 0) {
		if (!make_room(m, more))
			return;
		tcp = made_transport(m);
		memset((char *)tcp + length - more, 0, more);
	}
	set_tcp_words(tcp, length >> 2);
}

/* Twelve bits: the reserved ones (one of which is NS) and the flags. */
GET(tcp_flags)
{
	const __u8 *bytes = (const __u8 *)v->tcp;

	return has_tcp(v, 14) && got_number(v, (bytes[12] & 0xf) << 8 | bytes[13]);
}

SET(tcp_flags)
{
	__u8 *bytes;

	if (!make_tcp(m) || made_transport_length(m) < 14)
		return;
	bytes = (__u8 *)made_transport(m) + 12;
	bytes[0] = (bytes[0] & 0xf0) | ((m->value.number >> 8) & 0xf);
	bytes[1] = m->value.number;
}

GET_AS(tcp_window, has_tcp(v, 16) && got_number(v, ntohs(v->tcp->window)))
SET_AS(tcp_window, true, set_half_word(m, 14))
GET_AS(tcp_urp, has_tcp(v, 20) && got_number(v, ntohs(v->tcp->urg_ptr)))
SET_AS(tcp_urp, true, set_half_word(m, 18))

/* Letters of the flags, least significant bit first; old files have W for C, X for E, and Y for C. */
static const char flag_letters[] = "FSRPAUECN";

static int flag_bit(char letter)
{
	const char *found = strchr(flag_letters, letter);

	if (found && letter)
		return found - flag_letters;
	return letter == 'W' || letter == 'Y' ? 7 : letter == 'X' ? 6 : -1;
}

static void print_flags(const struct summary_view *v, struct text *out)
{
	if (v->value.number == 0x18)
		return text_string(out, "PA");
	if (!v->value.number)
		return text_char(out, '.');
	for (int i = 0; flag_letters[i]; i++)
		if (v->value.number >> i & 1)
			text_char(out, flag_letters[i]);
}

static bool scan_flags(struct summary_maker *m, const char *at, const char *end)
{
	if (at < end && *at >= '0' && *at <= '9')
		return number_is(at, end, 0, 12, &m->value.number);
	m->value.number = 0;
	if (end - at == 1 && *at == '.')
		return true;
	for (const char *s = at; s < end; s++) {
		int bit = flag_bit(*s);

		if (bit < 0)
			return false;
		m->value.number |= 1u << bit;
	}
	return at < end;
}

FORMAT(tcp_flags) = {1, print_flags, scan_flags, NULL, NULL};
