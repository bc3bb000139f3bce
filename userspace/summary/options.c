/* Reading and writing the options of IP and TCP headers: the common part. */
#include "summary/options.h"
#include <ctype.h>
#include "summary/number.h"

void print_options(const struct summary_view *v, print_option *print, int mask, struct text *out)
{
	const __u8 *at = v->value.bytes, *end = at + v->value.length;
	size_t start = out->length, before;
	const char *separator = "";

	while (at < end && *at != OPTION_END) {
		if (*at == OPTION_PADDING) {
			at++;
			continue;
		}
		before = out->length;
		if (at + 1 == end || at + at[1] > end || at[1] < 2 || !print(at, mask, separator, out)) {
			out->length = start;
			return text_char(out, '?');
		}
		if (out->length > before)
			separator = ";";
		at += at[1];
	}
	if (out->length == start)
		text_char(out, '.');
}

void print_other_option(const __u8 *at, const char *separator, struct text *out)
{
	text_string(out, separator);
	text_number(out, at[0]);
	for (int i = 2; i < at[1]; i++) {
		text_char(out, i == 2 ? '=' : ':');
		text_number(out, at[i]);
	}
}

bool skip_word(const char **at, const char *end, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(end - *at) <= length || memcmp(*at, word, length))
		return false;
	*at += length;
	return true;
}

static bool begins_with_digit(const char *at, const char *end)
{
	return at < end && isdigit((unsigned char)*at);
}

bool scan_other_option(const char **at, const char *end, struct text *out)
{
	size_t start = out->length;
	__u64 number;

	if (!begins_with_digit(*at, end))
		return false;
	*at = number_at(*at, end, 0, 32, &number, NULL);
	if (number > 255)
		return false;
	text_char(out, number);
	if (end - *at < 2 || **at != '=' || !begins_with_digit(*at + 1, end))
		return true;
	text_char(out, 0);
	do {
		*at = number_at(*at + 1, end, 0, 32, &number, NULL);
		if (number > 255)
			return false;
		text_char(out, number);
	} while (end - *at >= 2 && **at == ':' && begins_with_digit(*at + 1, end));
	if (out->length - start > 255)
		return false;
	out->bytes[start + 1] = out->length - start;
	return true;
}

bool scan_one_byte_option(const char **at, const char *end, struct text *out)
{
	if (end - *at < 3)
		return false;
	if (!memcmp(*at, "nop", 3))
		text_char(out, OPTION_PADDING);
	else if (!memcmp(*at, "eol", 3) && (end - *at == 3 || (*at)[3] != ','))
		text_char(out, OPTION_END);
	else
		return false;
	*at += 3;
	return true;
}

bool scan_options(struct summary_maker *m, const char *at, const char *end, scan_option *scan, int mask)
{
	struct text *out = &m->scratch;
	size_t padding = 0;

	if (at == end || (end - at == 1 && *at == '.'))
		return true;
	for (text_clear(out);; at++) {
		if (!scan(&at, end, mask, out))
			return false;
		if (at == end)
			break;
		if (*at != ',' && *at != ';')
			return false;
	}
	while (out->length - padding > OPTIONS_MAX && out->bytes[padding] == OPTION_PADDING)
		padding++;
	m->value.bytes = (__u8 *)out->bytes + padding;
	m->value.length = out->length - padding;
	return m->value.length <= OPTIONS_MAX;
}

void pack_options(const struct summary_view *v, bool found, bool wanted(__u8 kind), struct text *out)
{
	const __u8 *at, *end;
	size_t start = out->length;

	text_char(out, 0);
	if (!found)
		return;
	at = v->value.bytes;
	end = at + v->value.length;
	if (!wanted)
		text_add(out, at, end - at);
	while (wanted && at < end && *at != OPTION_END) {
		if (*at == OPTION_PADDING) {
			at++;
			continue;
		}
		if (at + 1 == end || at[1] < 2 || at + at[1] > end)
			break;
		if (wanted(*at))
			text_add(out, at, at[1]);
		at += at[1];
	}
	out->bytes[start] = out->length - start - 1;
}

bool unpack_options(struct summary_maker *m, const __u8 *at, int length)
{
	if (length > OPTIONS_MAX)
		return false;
	m->value.bytes = at;
	m->value.length = length;
	return true;
}
