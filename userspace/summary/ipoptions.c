/* IP options (RFC 791, 3.1): routes and timestamps. */
#include <arpa/inet.h>
#include <ctype.h>
#include "summary/number.h"
#include "summary/options.h"

enum { RECORD_ROUTE = 7, TIMESTAMP = 68, LOOSE_ROUTE = 131, STRICT_ROUTE = 137 };

/* Flags of a timestamp option: the kind of its entries. */
enum { TIMES = 0, ADDRESSES_AND_TIMES = 1, PRESPECIFIED = 3 };

GET(ip_opt)
{
	const struct iphdr *ip = v->ip;

	if (!ip || (ip->ihl > 5 && v->network_length < 4 * ip->ihl))
		return summary_missing(v, OF_IP, ip ? 4 * ip->ihl : 20);
	return got_bytes(v, ip + 1, ip->ihl > 5 ? 4 * ip->ihl - sizeof(*ip) : 0);
}

/* Extend the header if it has no room for the options. */
SET(ip_opt)
{
	int length = m->value.length, header = (sizeof(struct iphdr) + length + 3) & ~3;
	int more;
	__u8 *options;

	if (!make_ip(m, 0))
		return;
	m->has_ip_hl = true;
	if (!m->value.bytes)
		return;
	more = header - made_network_length(m);
	if (more > 0 && !make_room(m, more))
		return;
	if (header > 4 * made_ip(m)->ihl) {
		m->p->trans = m->p->net + header;
		made_ip(m)->ihl = header >> 2;
	}
	header = 4 * made_ip(m)->ihl;
	options = (__u8 *)(made_ip(m) + 1);
	memcpy(options, m->value.bytes, length);
	memset(options + length, OPTION_END, header - sizeof(struct iphdr) - length);
}

static void print_address(const __u8 *a, struct text *out)
{
	text_format(out, "%d.%d.%d.%d", a[0], a[1], a[2], a[3]);
}

/* Print addresses in braces. A recorded route ends at the pointer, followed by the number of free entries; in a source route a ^
 * marks the pointer.
 */
static bool print_route(const __u8 *option, const char *name, const char *separator, struct text *out)
{
	const __u8 *at = option + 3, *end = option + option[1], *pointer = option + option[2] - 1;
	bool records = option[0] == RECORD_ROUTE;

	if (option[1] < 3 || option[2] < 4)
		return false;
	text_string(out, separator);
	text_string(out, name);
	text_char(out, '{');
	for (separator = ""; at + 4 <= end && !(records && at == pointer); at += 4, separator = ",") {
		text_string(out, at == pointer ? "^" : separator);
		print_address(at, out);
	}
	if (at == end && at == pointer && !records)
		text_char(out, '^');
	text_char(out, '}');
	if (records && at == pointer && at + 4 <= end) {
		text_char(out, '+');
		text_number(out, (end - at) / 4);
	}
	return true;
}

/* The top bit of a time is set if it isn't in milliseconds since midnight. */
static void print_stamp(__u32 stamp, struct text *out)
{
	if (stamp >> 31)
		text_char(out, '!');
	text_number(out, stamp & 0x7fffffff);
}

/* Print the entries of a timestamp option, up to the pointer or, with prespecified addresses, all. Returns the end. */
static const __u8 *print_entries(const __u8 *at, const __u8 *end, const __u8 *pointer, int flag, struct text *out)
{
	int size = flag >= 1 && flag <= 3 ? 8 : 4;
	const char *separator = "";

	for (; at + size <= end && (at != pointer || flag == PRESPECIFIED); at += 4, separator = ",") {
		bool to_be_stamped = flag == PRESPECIFIED && at >= pointer;

		text_string(out, at == pointer ? "^" : separator);
		if (flag != TIMES) {
			print_address(at, out);
			if (!to_be_stamped)
				text_char(out, '=');
			at += 4;
		}
		if (!to_be_stamped && at + 4 <= end)
			print_stamp(big_endian(at), out);
	}
	return at;
}

static bool print_timestamps(const __u8 *option, const char *separator, struct text *out)
{
	const __u8 *at = option + 4, *end = option + option[1], *pointer = option + option[2] - 1;
	int flag, size;

	if (option[1] < 4 || option[2] < 5)
		return false;
	flag = option[3] & 0xf;
	size = flag >= 1 && flag <= 3 ? 8 : 4;
	text_string(out, separator);
	text_string(out, "ts");
	if (flag == ADDRESSES_AND_TIMES)
		text_string(out, ".ip");
	else if (flag == PRESPECIFIED)
		text_string(out, ".preip");
	else if (flag != TIMES)
		text_format(out, ".%d", flag);
	text_char(out, '{');
	at = print_entries(at, end, pointer, flag, out);
	if (at == end && at == pointer)
		text_char(out, '^');
	text_char(out, '}');
	if (at + size <= end && at == pointer)
		text_format(out, "+%d", (int)(end - at) / size);
	if (option[3] >> 4)
		text_format(out, "++%d", option[3] >> 4);
	return true;
}

static bool print_one(const __u8 *option, int mask __attribute__((unused)), const char *separator, struct text *out)
{
	switch (option[0]) {
	case RECORD_ROUTE:
		return print_route(option, "rr", separator, out);
	case LOOSE_ROUTE:
		return print_route(option, "lsrr", separator, out);
	case STRICT_ROUTE:
		return print_route(option, "ssrr", separator, out);
	case TIMESTAMP:
		return print_timestamps(option, separator, out);
	}
	print_other_option(option, separator, out);
	return true;
}

/* -- scanning ------------------------------------------------------------------------------------------------------- */

static bool is_digit(const char *at, const char *end)
{
	return at < end && isdigit((unsigned char)*at);
}

static bool scan_address(const char **at, const char *end, struct text *out)
{
	__u64 part;

	for (int i = 0; i < 4; i++) {
		const char *digits = *at;

		*at = number_at(digits, end, 10, 32, &part, NULL);
		if (*at == digits || part > 255)
			return false;
		if (i < 3 && (*at == end || *(*at)++ != '.'))
			return false;
		text_char(out, part);
	}
	return true;
}

/* A ^ sets the option's pointer, which counts from 1, to the next entry. */
static void scan_pointer(const char **at, const char *end, const struct text *out, size_t start, int *pointer)
{
	if (*at < end && **at == '^' && *pointer < 0) {
		*pointer = out->length - start + 1;
		(*at)++;
	}
}

/* After all entries: set the length and, unless a ^ has set it, the pointer to the end of the entries. */
static bool finish(struct text *out, size_t start, int pointer, size_t room)
{
	size_t length = out->length - start;
	char *empty;

	out->bytes[start + 2] = pointer >= 0 ? pointer : (int)length + 1;
	empty = text_extend(out, room);
	if (!empty)
		return false;
	memset(empty, 0, room);
	out->bytes[start + 1] = length + room;
	return length + room <= 255;
}

static bool scan_route(const char **at, const char *end, int kind, struct text *out)
{
	size_t start = out->length;
	int pointer = -1;
	__u64 room = 0;

	text_char(out, kind);
	text_add(out, "\0", 2);
	for (scan_pointer(at, end, out, start, &pointer); is_digit(*at, end); scan_pointer(at, end, out, start, &pointer)) {
		if (!scan_address(at, end, out))
			return false;
		if (*at < end && **at == ',')
			(*at)++;
	}
	if (*at == end || *(*at)++ != '}')
		return false;
	if (end - *at > 1 && **at == '+' && is_digit(*at + 1, end))
		*at = number_at(*at + 1, end, 10, 32, &room, NULL);
	return finish(out, start, pointer, room < 64 ? 4 * room : 0);
}

/* The kind of a timestamp option's entries, as far as known. Scanning continues after the brace. */
enum { UNKNOWN = -1, WITH_ADDRESSES = -2 };

static bool scan_flag(const char **at, const char *end, int *flag)
{
	__u64 number;

	*flag = UNKNOWN;
	if (skip_word(at, end, "{"))
		return true;
	if (skip_word(at, end, ".ip{")) {
		*flag = ADDRESSES_AND_TIMES;
		return true;
	}
	if (skip_word(at, end, ".preip{")) {
		*flag = PRESPECIFIED;
		return true;
	}
	if (!skip_word(at, end, ".") || !is_digit(*at, end))
		return false;
	*at = number_at(*at, end, 0, 32, &number, NULL);
	*flag = number;
	return number <= 15 && *at < end && *(*at)++ == '{';
}

static bool scan_stamp(const char **at, const char *end, struct text *out)
{
	bool odd = *at < end && **at == '!';
	__u64 number;

	*at += odd;
	if (!is_digit(*at, end))
		return false;
	*at = number_at(*at, end, 0, 32, &number, NULL);
	text_big_endian(out, number | (__u64)odd << 31, 4);
	return true;
}

/* ADDRESS=STAMP; after the pointer, where entries have no stamp yet, also ADDRESS or ADDRESS=?. */
static bool scan_entry_with_address(const char **at, const char *end, bool pending, struct text *out)
{
	if (!scan_address(at, end, out))
		return false;
	if (end - *at > 1 && **at == '=') {
		if (is_digit(*at + 1, end) || (*at)[1] == '!') {
			(*at)++;
			return scan_stamp(at, end, out);
		}
		if ((*at)[1] != '?' || !pending)
			return false;
		*at += 2;
	} else if (!pending) {
		return false;
	}
	text_big_endian(out, 0, 4);
	return true;
}

/* Scan one entry. The first one decides whether entries have addresses, unless that is known. */
static bool scan_entry(const char **at, const char *end, int *flag, bool pending, struct text *out)
{
	size_t start = out->length;
	const char *entry = *at;

	if (*flag == UNKNOWN || *flag == TIMES || (*flag >= 0 && *flag != ADDRESSES_AND_TIMES && *flag != PRESPECIFIED)) {
		if (!scan_stamp(at, end, out))
			return false;
		if (*flag != UNKNOWN || *at == end || **at != '.') {
			if (*flag == UNKNOWN)
				*flag = TIMES;
			return true;
		}
		*flag = WITH_ADDRESSES;
		*at = entry;
		out->length = start;
	}
	if (*flag == WITH_ADDRESSES && pending)
		*flag = PRESPECIFIED;
	return scan_entry_with_address(at, end, pending, out);
}

static bool scan_timestamps(const char **at, const char *end, struct text *out)
{
	size_t start = out->length;
	int pointer = -1, flag;
	__u64 room = 0, overflow = 0;

	text_char(out, TIMESTAMP);
	text_add(out, "\0\0", 3);
	if (!scan_flag(at, end, &flag))
		return false;
	for (scan_pointer(at, end, out, start, &pointer); is_digit(*at, end) || (*at < end && **at == '!');
	     scan_pointer(at, end, out, start, &pointer)) {
		if (!scan_entry(at, end, &flag, pointer >= 0, out))
			return false;
		if (*at < end && **at == ',')
			(*at)++;
	}
	if (*at < end && *(*at)++ != '}')
		return false;
	if (flag < 0)
		flag = flag == WITH_ADDRESSES ? ADDRESSES_AND_TIMES : TIMES;
	if (end - *at > 1 && **at == '+' && is_digit(*at + 1, end))
		*at = number_at(*at + 1, end, 0, 32, &room, NULL);
	if (end - *at > 2 && **at == '+' && (*at)[1] == '+' && is_digit(*at + 2, end))
		*at = number_at(*at + 2, end, 0, 32, &overflow, NULL);
	out->bytes[start + 3] = (overflow < 16 ? overflow << 4 : 0) | flag;
	if (room >= 64)
		room = 0;
	return finish(out, start, pointer, room * (flag == ADDRESSES_AND_TIMES || flag == PRESPECIFIED ? 8 : 4));
}

static bool scan_one(const char **at, const char *end, int mask __attribute__((unused)), struct text *out)
{
	if (skip_word(at, end, "rr{"))
		return scan_route(at, end, RECORD_ROUTE, out);
	if (skip_word(at, end, "ssrr{"))
		return scan_route(at, end, STRICT_ROUTE, out);
	if (skip_word(at, end, "lsrr{"))
		return scan_route(at, end, LOOSE_ROUTE, out);
	if (skip_word(at, end, "ts"))
		return scan_timestamps(at, end, out);
	return scan_other_option(at, end, out) || scan_one_byte_option(at, end, out);
}

static void print(const struct summary_view *v, struct text *out)
{
	print_options(v, print_one, 0, out);
}

static bool scan(struct summary_maker *m, const char *at, const char *end)
{
	return scan_options(m, at, end, scan_one, 0);
}

static void pack(const struct summary_view *v, bool found, struct text *out)
{
	pack_options(v, found, NULL, out);
}

FORMAT(ip_options) = {SIZE_VARIES, print, scan, pack, unpack_options};
