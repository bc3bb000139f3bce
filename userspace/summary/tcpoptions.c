/* TCP options: MSS (RFC 9293), window scale and timestamps (RFC 7323), selective acknowledgements (RFC 2018). */
#include <ctype.h>
#include "summary/number.h"
#include "summary/options.h"

enum { MSS = 2, WSCALE = 3, SACK_PERMITTED = 4, SACK = 5, TIMESTAMPS = 8 };

/* Flags for sets of options. */
enum {
	OF_SACK = 1,
	OF_TIMESTAMPS = 2,
	OF_OTHERS = 4,
	ALL = OF_SACK | OF_TIMESTAMPS | OF_OTHERS,
	NO_TIMESTAMPS = OF_SACK | OF_OTHERS,
};

static int set_of(__u8 kind)
{
	return kind == SACK_PERMITTED || kind == SACK ? OF_SACK : kind == TIMESTAMPS ? OF_TIMESTAMPS : OF_OTHERS;
}

static bool wanted_but_timestamps(__u8 kind)
{
	return set_of(kind) & NO_TIMESTAMPS;
}

static bool wanted_sack(__u8 kind)
{
	return set_of(kind) & OF_SACK;
}

GET(tcp_opt)
{
	const struct tcphdr *tcp = v->tcp;

	if (!tcp || v->transport_length < 13 || (tcp_words(tcp) > 5 && v->transport_length < 4 * tcp_words(tcp)))
		return summary_missing(v, IPPROTO_TCP, v->transport_length + 1);
	return got_bytes(v, tcp + 1, tcp_words(tcp) > 5 ? 4 * tcp_words(tcp) - sizeof(*tcp) : 0);
}

/* Whether the header starts like a 32-byte one with timestamps only, even if it is truncated. */
static bool has_only_timestamps(const struct summary_view *v)
{
	return tcp_words(v->tcp) == 8 && v->transport_length >= 24 && !memcmp(v->tcp + 1, "\1\1\10\12", 4);
}

GET(tcp_ntopt)
{
	if (v->tcp && v->transport_length >= 13 && (tcp_words(v->tcp) <= 5 || has_only_timestamps(v)))
		return got_bytes(v, v->tcp + 1, 0);
	return summary_get_tcp_opt(v);
}

GET_AS(tcp_sack, summary_get_tcp_ntopt(v))

SET(tcp_opt)
{
	int length = m->value.length, header = (sizeof(struct tcphdr) + length + 3) & ~3;
	struct tcphdr *tcp;

	if (!make_network(m, IPPROTO_TCP) || !make_transport(m))
		return;
	m->has_tcp_hl = true;
	if (!length || !make_transport_room(m, header))
		return;
	tcp = made_transport(m);
	if (header > 4 * tcp_words(tcp))
		set_tcp_words(tcp, header >> 2);
	else
		header = 4 * tcp_words(tcp);
	if (!make_transport_room(m, header))
		return;
	tcp = made_transport(m);
	memcpy(tcp + 1, m->value.bytes, length);
	memset((char *)(tcp + 1) + length, OPTION_END, header - sizeof(*tcp) - length);
}

SET_AS(tcp_ntopt, true, summary_set_tcp_opt(m))
SET_AS(tcp_sack, true, summary_set_tcp_opt(m))

static void print_blocks(const __u8 *option, const char *separator, struct text *out)
{
	for (const __u8 *at = option + 2; at < option + option[1]; at += 8, separator = ";")
		text_format(out, "%ssack%u-%u", separator, big_endian(at), big_endian(at + 4));
}

static bool print_one(const __u8 *option, int mask, const char *separator, struct text *out)
{
	static const __u8 lengths[] = {[MSS] = 4, [WSCALE] = 3, [SACK_PERMITTED] = 2, [TIMESTAMPS] = 10};
	int kind = option[0], wanted = mask & set_of(kind);

	if (kind <= TIMESTAMPS && lengths[kind] && option[1] != lengths[kind])
		return false;
	if (kind == SACK && option[1] % 8 != 2)
		return false;
	if (!wanted)
		return true;
	if (kind == MSS)
		text_format(out, "%smss%d", separator, option[2] << 8 | option[3]);
	else if (kind == WSCALE)
		text_format(out, "%swscale%d", separator, option[2]);
	else if (kind == SACK_PERMITTED)
		text_format(out, "%ssackok", separator);
	else if (kind == SACK)
		print_blocks(option, separator, out);
	else if (kind == TIMESTAMPS)
		text_format(out, "%sts%u:%u", separator, big_endian(option + 2), big_endian(option + 6));
	else
		print_other_option(option, separator, out);
	return true;
}

/* -- scanning ------------------------------------------------------------------------------------------------------- */

/* Scan an option with a number of `size` bytes after its word. */
static bool scan_with_number(const char **at, const char *end, int kind, int size, struct text *out)
{
	const char *digits = *at;
	bool too_large;
	__u64 number;

	*at = number_at(digits, end, 0, 8 * size, &number, &too_large);
	if (*at == digits || too_large)
		return false;
	text_char(out, kind);
	text_char(out, 2 + size);
	text_big_endian(out, number, size);
	return true;
}

/* Scan two 32-bit numbers with one of the separators between them. */
static bool scan_pair(const char **at, const char *end, const char *separators, struct text *out)
{
	for (int i = 0; i < 2; i++) {
		const char *digits = *at;
		__u64 number;

		*at = number_at(digits, end, 0, 32, &number, NULL);
		if (*at == digits)
			return false;
		text_big_endian(out, number, 4);
		if (i)
			return true;
		if (*at == end || !strchr(separators, *(*at)++))
			return false;
	}
	return true;
}

/* Scan blocks, separated by commas, into one option. */
static bool scan_blocks(const char **at, const char *end, struct text *out)
{
	size_t start = out->length;

	text_char(out, SACK);
	text_char(out, 0);
	do
		if (!scan_pair(at, end, "-:", out))
			return false;
	while (skip_word(at, end, ",sack"));
	out->bytes[start + 1] = out->length - start;
	return true;
}

static bool scan_timestamps(const char **at, const char *end, struct text *out)
{
	if (!out->length)
		text_add(out, "\1\1", 2);
	text_char(out, TIMESTAMPS);
	text_char(out, 10);
	return scan_pair(at, end, ":", out);
}

/* "sackok" may end the text, so skip_word doesn't take it. */
static bool skip_sackok(const char **at, const char *end)
{
	if (end - *at < 6 || memcmp(*at, "sackok", 6))
		return false;
	*at += 6;
	return true;
}

static bool scan_one(const char **at, const char *end, int mask, struct text *out)
{
	if (mask & OF_SACK) {
		if (skip_sackok(at, end)) {
			text_char(out, SACK_PERMITTED);
			text_char(out, 2);
			return true;
		}
		if (skip_word(at, end, "sack"))
			return scan_blocks(at, end, out);
	}
	if ((mask & OF_TIMESTAMPS) && skip_word(at, end, "ts"))
		return scan_timestamps(at, end, out);
	if (!(mask & OF_OTHERS))
		return false;
	if (skip_word(at, end, "mss"))
		return scan_with_number(at, end, MSS, 2, out);
	if (skip_word(at, end, "wscale"))
		return scan_with_number(at, end, WSCALE, 1, out);
	return scan_other_option(at, end, out) || (mask == ALL && scan_one_byte_option(at, end, out));
}

/* -- formats -------------------------------------------------------------------------------------------------------- */

#define OPTIONS_FORMAT(name, mask, wanted)                                                    \
	static void print_##name(const struct summary_view *v, struct text *out)              \
	{                                                                                     \
		print_options(v, print_one, mask, out);                                       \
	}                                                                                     \
	static bool scan_##name(struct summary_maker *m, const char *at, const char *end)     \
	{                                                                                     \
		return scan_options(m, at, end, scan_one, mask);                              \
	}                                                                                     \
	static void pack_##name(const struct summary_view *v, bool found, struct text *out)   \
	{                                                                                     \
		pack_options(v, found, wanted, out);                                          \
	}                                                                                     \
	FORMAT(name) = {SIZE_VARIES, print_##name, scan_##name, pack_##name, unpack_options}

OPTIONS_FORMAT(tcp_options, ALL, NULL);
OPTIONS_FORMAT(tcp_options_but_timestamps, NO_TIMESTAMPS, wanted_but_timestamps);
OPTIONS_FORMAT(tcp_sack, OF_SACK, wanted_sack);
