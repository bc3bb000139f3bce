/* Fields of the payload, the bytes after all known headers. */
#include "summary/field.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <openssl/evp.h>

/* The payload's offset from the packet's start (perhaps beyond its end), and its length according to the headers. */
struct part {
	int offset, length;
};

static int transport_header_length(const struct pkt *p, int offset, int end, int protocol)
{
	const struct tcphdr *tcp = (const void *)(p->data + offset);

	if (protocol == IPPROTO_TCP)
		return end - offset >= 13 && tcp_words(tcp) >= 5 ? 4 * tcp_words(tcp) : (int)sizeof(*tcp);
	return protocol == IPPROTO_UDP || protocol == IPPROTO_UDPLITE ? (int)sizeof(struct udphdr) : 0;
}

static struct part find_payload(struct pkt *p, const struct iphdr *ip, int padding)
{
	struct part payload = {.length = pkt_len(p) - padding};

	if (!ip)
		return payload;
	payload.offset = pkt_has_transport_header(p) ? pkt_transport_offset(p) : pkt_network_offset(p) + 4 * ip->ihl;
	if (is_first_fragment(ip))
		payload.offset += transport_header_length(p, payload.offset, pkt_len(p) - padding, ip->protocol);
	payload.length = ntohs(ip->tot_len) - (payload.offset - pkt_network_offset(p));
	return payload;
}

/* A header of this protocol begins `transport` bytes after the IPv6 header; a protocol of -1 means none. */
static struct part find_payload6(struct pkt *p, const struct ip6_hdr *ip6, int padding, int transport, int protocol)
{
	struct part payload = {.offset = pkt_network_offset(p) + transport};

	payload.offset += transport_header_length(p, payload.offset, pkt_len(p) - padding, protocol);
	payload.length = (int)sizeof(*ip6) + ntohs(ip6->ip6_plen) - (payload.offset - pkt_network_offset(p));
	if (payload.length < 0)
		payload.length = 0;
	return payload;
}

static struct part payload_of(const struct summary_view *v)
{
	if (!v->ip6)
		return find_payload(v->p, v->ip, v->padding);
	return find_payload6(v->p, v->ip6, v->padding, v->chain.offset, v->chain.later ? -1 : v->chain.protocol);
}

GET(payload_len)
{
	int length = payload_of(v).length;

	if ((!v->ip && !v->ip6) || (v->ip && v->extra_length))
		length += pkt_anno_u32(v->p, EXTRA_LENGTH_ANNO);
	return got_number(v, (__u32)length);
}

/* The part of the payload that was captured. */
GET(payload)
{
	struct part part = payload_of(v);
	int offset = part.offset, length = part.length;

	if (length && offset >= (int)pkt_len(v->p))
		return false;
	if (length < 0 || offset + length > v->length)
		length = v->length > offset ? v->length - offset : 0;
	return got_bytes(v, v->p->data + offset, length);
}

GET_AS(payload_md5, summary_get_payload(v))
GET_AS(payload_md5_hex, summary_get_payload(v))

/* The most bytes of options in a TCP or an IP header. */
#define OPTIONS_ROOM 40

/* Insert `more` zero bytes (End of Options) at an offset into the packet. */
static bool insert(struct summary_maker *m, int offset, int more)
{
	char *at;

	if (!make_room(m, more))
		return false;
	at = (char *)m->p->data + offset;
	memmove(at + more, at, pkt_len(m->p) - offset - more);
	memset(at, 0, more);
	return true;
}

static int options_for(int gap)
{
	return gap > OPTIONS_ROOM ? OPTIONS_ROOM : gap & ~3;
}

static int grow_tcp(struct summary_maker *m, int gap)
{
	struct tcphdr *tcp = made_transport(m);
	int more = options_for(gap);

	if (m->has_tcp_hl || made_transport_length(m) < (int)sizeof(*tcp) || tcp_words(tcp) != 5 ||
	    !insert(m, pkt_transport_offset(m->p) + sizeof(*tcp), more))
		return 0;
	set_tcp_words(made_transport(m), 5 + more / 4);
	return more;
}

static int grow_ip(struct summary_maker *m, int gap)
{
	int more = options_for(gap);

	if (m->has_ip_hl || made_ip(m)->ihl != 5 ||
	    !insert(m, pkt_network_offset(m->p) + sizeof(struct iphdr), more))
		return 0;
	made_ip(m)->ihl = 5 + more / 4;
	m->p->trans += more;
	return more;
}

/* Account for a payload of `length` bytes at `offset`. If the packet's length is known and leaves a gap, the TCP header, then the
 * IP header, is extended with End of Options, unless the summary gave its length. Returns the payload's new offset.
 */
static int account_for(struct summary_maker *m, int offset, int length)
{
	int start = offset, gap;

	if (!m->is_ip || !m->length) {
		m->length = offset + length;
		return offset;
	}
	gap = m->length + pkt_network_offset(m->p) - (offset + length);
	if (gap > 0 && made_first_fragment(m) && *made_protocol(m) == IPPROTO_TCP)
		offset += grow_tcp(m, gap);
	gap -= offset - start;
	if (gap > 0 && !m->is_ip6)
		offset += grow_ip(m, gap);
	return offset;
}

/* Make the headers, and return the payload's offset. */
static int start_of(struct summary_maker *m)
{
	if (make_network(m, 0))
		make_transport(m);
	if (m->is_ip6)
		return find_payload6(m->p, made_ip6(m), 0, m->p->trans - m->p->net, made_first_fragment(m) ? *made_protocol(m) : -1).offset;
	return find_payload(m->p, m->is_ip ? made_ip(m) : NULL, 0).offset;
}

SET(payload)
{
	int length = m->value.length, start = start_of(m), more;

	if (!length)
		return;
	start = account_for(m, start, length);
	more = start + length - (int)pkt_len(m->p);
	if (more <= 0 || make_room(m, more))
		memcpy(m->p->data + start, m->value.bytes, length);
}

SET_AS(payload_len, true, account_for(m, start_of(m), m->value.number))

/* -- formats: strings ----------------------------------------------------------------------------------------------- */

/* Print the payload in double quotes, as one word in one line. */
static void print_quoted(const struct summary_view *v, struct text *out)
{
	text_char(out, '"');
	for (__u32 i = 0; i < v->value.length; i++) {
		unsigned char c = v->value.bytes[i];

		if (c == '\t' || c == '\r' || c == '\n')
			text_format(out, "\\%c", c == '\t' ? 't' : c == '\r' ? 'r' : 'n');
		else if (c < 32 || c >= 127)
			text_format(out, "\\%03o", c);
		else if (c == '\\' || c == '"' || c == '$')
			text_format(out, "\\%c", c);
		else
			text_char(out, c);
	}
	text_char(out, '"');
}

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : (c | 32) - 'a' + 10;
}

/* Scan hexadecimal digits up to a >; other characters are ignored. */
static const char *scan_hex_bytes(const char *at, const char *end, struct text *out)
{
	int half = -1;

	for (; at < end && *at != '>'; at++) {
		if (!isxdigit((unsigned char)*at))
			continue;
		if (half >= 0)
			text_char(out, half << 4 | hex_value(*at));
		half = half >= 0 ? -1 : hex_value(*at);
	}
	return at < end ? at + 1 : at;
}

/* Scan the escape sequence after a backslash at `at`; returns its end. */
static const char *scan_escape(const char *at, const char *end, struct text *out)
{
	static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
	const char *letter;
	__u32 value = 0;

	if (++at == end)
		return text_char(out, '\\'), at;
	if (*at == '<')
		return scan_hex_bytes(at + 1, end, out);
	if (*at == '\n')
		return at + 1;
	if (*at == 'x') {
		for (at++; at < end && isxdigit((unsigned char)*at); at++)
			value = value << 4 | hex_value(*at);
		return text_char(out, value), at;
	}
	if (*at >= '0' && *at <= '7') {
		for (int i = 0; i < 3 && at < end && *at >= '0' && *at <= '7'; i++)
			value = value << 3 | (*at++ - '0');
		return text_char(out, value), at;
	}
	letter = strchr(letters, *at);
	text_char(out, letter && *at ? meanings[letter - letters] : *at);
	return at + 1;
}

/* Scan one word of Click's language, which may have quoted parts. */
static bool scan_quoted(struct summary_maker *m, const char *at, const char *end)
{
	struct text *out = &m->scratch;
	char quote = 0;

	if (at == end)
		return false;
	text_clear(out);
	while (at < end) {
		if ((*at == '"' || *at == '\'') && (!quote || quote == *at)) {
			quote = quote ? 0 : *at;
			at++;
		} else if (*at == '\\' && (quote == '"' || (!quote && end - at > 1 && at[1] == '<'))) {
			at = scan_escape(at, end, out);
		} else {
			text_char(out, *at++);
		}
	}
	m->value.bytes = (__u8 *)out->bytes;
	m->value.length = out->length;
	return true;
}

FORMAT(string) = {TEXT_ONLY, print_quoted, scan_quoted, NULL, NULL};

/* -- formats: digests (MD5, RFC 1321: they distinguish payloads, and protect nothing) -------------------------------- */

#define MD5_SIZE 16

/* False if the system's policy forbids MD5. */
static bool make_digest(const struct summary_view *v, __u8 digest[MD5_SIZE])
{
	return EVP_Digest(v->value.bytes, v->value.length, digest, NULL, EVP_md5(), NULL);
}

static void print_hex(const struct summary_view *v, struct text *out)
{
	__u8 digest[MD5_SIZE];

	if (!make_digest(v, digest))
		return text_char(out, '-');
	for (int i = 0; i < MD5_SIZE; i++)
		text_format(out, "%02x", digest[i]);
}

/* Print six bits a character, least significant first. */
static void print_digest(const struct summary_view *v, struct text *out)
{
	static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@";
	__u8 digest[MD5_SIZE + 1] = {0};

	if (!make_digest(v, digest))
		return text_char(out, '-');
	for (int bit = 0; bit < 8 * MD5_SIZE; bit += 6) {
		int pair = digest[bit / 8] | digest[bit / 8 + 1] << 8;

		text_char(out, characters[pair >> (bit % 8) & 63]);
	}
}

static void pack_digest(const struct summary_view *v, bool found __attribute__((unused)), struct text *out)
{
	__u8 digest[MD5_SIZE] = {0};

	make_digest(v, digest);
	text_add(out, digest, MD5_SIZE);
}

FORMAT(digest) = {MD5_SIZE, print_digest, NULL, pack_digest, NULL};
FORMAT(hex_digest) = {MD5_SIZE, print_hex, NULL, pack_digest, NULL};
