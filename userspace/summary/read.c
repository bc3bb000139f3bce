/* From a file of lines or records to packets. */
#include "summary/field.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "stream.h"
#include "summary/number.h"

#define MAJOR 1
#define MINOR 3

struct summary_reader {
	FILE *file;
	const struct summary_schema *schema;
	struct text line;			/* that was read last, its end included */
	bool pending;				/* it wasn't looked at */
	__u64 position;				/* in the file, of the next one */
	unsigned int number;			/* of the line, from 1 */
	bool binary;				/* what follows are records */
	int version;				/* minor version of the format */
	__u8 protocol;
	bool has_flow, complained;
	struct summary_flow flow;
	const struct summary_field **fields;	/* of each packet's line; NULL for one that is skipped */
	int *order;				/* in which they are put into the packet */
	struct word *words;			/* room for a line's fields */
	int count;
};

struct word {
	const char *at, *end;
};

static void tell(const struct summary_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line on standard error, as Click's: "dump:3: packet parse error". */
static void tell(const struct summary_reader *r, const char *format, ...)
{
	va_list values;

	fprintf(stderr, "%s:%s%u: ", r->schema->file_name, r->binary ? "record " : "", r->number);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
}

static bool equals(struct word word, const char *text)
{
	return (size_t)(word.end - word.at) == strlen(text) && !memcmp(word.at, text, word.end - word.at);
}

/* -- words ---------------------------------------------------------------------------------------------------------- */

static const char *skip_spaces(const char *at, const char *end)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	return at;
}

/* A word ends at a space that isn't within double quotes. The rest of the line follows. */
static struct word next_word(const char **at, const char *end)
{
	struct word word = {.at = *at};
	bool quoted = false;
	const char *s = *at;

	for (; s < end && (quoted || !isspace((unsigned char)*s)); s++) {
		if (*s == '"')
			quoted = !quoted;
		else if (*s == '\\' && quoted && s + 1 < end)
			s++;
	}
	word.end = s;
	*at = skip_spaces(s, end);
	return word;
}

/* Up to `most` words of a line that begins with !; how many there are. */
static int split(const char *line, const char *end, struct word *words, int most)
{
	int count = 0;

	for (line = skip_spaces(line, end); line < end; count++) {
		struct word word = next_word(&line, end);

		if (count < most)
			words[count] = word;
	}
	return count;
}

/* -- what holds for the packets that follow -------------------------------------------------------------------------- */

/* A field by one of its names; quotes around it are gone, spaces within it are as good as underscores. */
static const struct summary_field *find_field(const struct summary_schema *schema, const char *name)
{
	for (const struct summary_alias *alias = schema->aliases; alias->name; alias++)
		if (!strcmp(alias->name, name))
			return &schema->fields[alias->field];
	return NULL;
}

static void field_name(struct word word, char *name, size_t room)
{
	size_t length = 0;

	for (const char *s = word.at; s < word.end && length < room - 1; s++)
		if (*s != '"' && *s != '\'')
			name[length++] = *s == ' ' ? '_' : *s;
	name[length] = '\0';
}

static bool grow_fields(struct summary_reader *r)
{
	size_t room = r->count + 1;
	void *fields = realloc(r->fields, room * sizeof(*r->fields));
	void *order, *words;

	if (!fields)
		return false;
	r->fields = fields;
	order = realloc(r->order, room * sizeof(*r->order));
	if (!order)
		return false;
	r->order = order;
	words = realloc(r->words, room * sizeof(*r->words));
	if (!words)
		return false;
	r->words = words;
	return true;
}

/* Fields with smaller orders come first, and of equal ones those that stand first. */
static void add_field(struct summary_reader *r, const struct summary_field *field)
{
	int place = r->count;

	if (!grow_fields(r))
		return;
	r->fields[r->count] = field;
	for (; field && place && (!r->fields[r->order[place - 1]] || r->fields[r->order[place - 1]]->order > field->order); place--)
		r->order[place] = r->order[place - 1];
	r->order[place] = r->count++;
}

static void set_fields(struct summary_reader *r, const char *at, const char *end)
{
	const struct summary_field *field;
	char name[64];

	r->count = 0;
	for (at = skip_spaces(at, end); at < end;) {
		field_name(next_word(&at, end), name, sizeof(name));
		field = find_field(r->schema, name);
		if (!field || !field->set)
			tell(r, "warning: unknown content type '%s'", name);
		add_field(r, field);
	}
	if (!r->count)
		tell(r, "no contents specified");
}

static void set_protocol(struct summary_reader *r, struct word word, const char *what)
{
	__u64 number;

	if (summary_name_value(r->schema->names, SUMMARY_PROTOCOL, word.at, word.end, &number) && number < 256)
		r->protocol = number;
	else if (equals(word, "T"))
		r->protocol = IPPROTO_TCP;
	else if (equals(word, "U"))
		r->protocol = IPPROTO_UDP;
	else if (equals(word, "I"))
		r->protocol = IPPROTO_ICMP;
	else
		tell(r, "bad protocol in %s", what);
}

static bool flow_address(const struct summary_reader *r, struct word word, __be32 *address)
{
	__u64 number = 0;

	if (!summary_address(r->schema->names, word.at, word.end, &number) && !equals(word, "-"))
		return false;
	*address = htonl(number);
	return true;
}

static bool flow_port(struct word word, __be16 *port)
{
	__u64 number = 0;

	if (!number_is(word.at, word.end, 0, 16, &number) && !equals(word, "-"))
		return false;
	*port = htons(number);
	return true;
}

/* SRC SPORT DST DPORT [PROTO] */
static void set_flow(struct summary_reader *r, const char *at, const char *end)
{
	struct word words[5];
	int count = split(at, end, words, 5);

	r->has_flow = count >= 4 && flow_address(r, words[0], &r->flow.src) && flow_port(words[1], &r->flow.sport) &&
		      flow_address(r, words[2], &r->flow.dst) && flow_port(words[3], &r->flow.dport);
	if (!r->has_flow)
		tell(r, "bad !flowid specification");
	else if (count > 4)
		set_protocol(r, words[4], "!flowid");
}

static void read_instruction(struct summary_reader *r, const char *at, const char *end)
{
	struct word word = next_word(&at, end), words[1];
	int count = split(at, end, words, 1);
	__u64 number;

	if (word.end == end)
		return;		/* cut off */
	if (equals(word, "!data") || equals(word, "!contents")) {
		set_fields(r, at, end);
	} else if (equals(word, "!flowid")) {
		set_flow(r, at, end);
	} else if (equals(word, "!proto")) {
		if (count == 1)
			set_protocol(r, words[0], "!proto");
		else
			tell(r, "bad !proto");
	} else if (equals(word, "!aggregate")) {
		if (count != 1 || !number_is(words[0].at, words[0].end, 0, 32, &number))
			tell(r, "bad !aggregate specification");
	} else if (equals(word, "!binary")) {
		if (count)
			tell(r, "bad !binary specification");
		r->binary = true;
		r->number = 0;
	}
}

/* -- lines and records ---------------------------------------------------------------------------------------------- */

/* A line with its end, which is \n, \r or both; false at the end of the file. */
static bool read_line(struct summary_reader *r)
{
	int c;

	text_clear(&r->line);
	while ((c = getc_unlocked(r->file)) != EOF) {
		text_char(&r->line, c);
		if (c == '\n')
			break;
		if (c != '\r')
			continue;
		c = getc_unlocked(r->file);
		if (c == '\n')
			text_char(&r->line, c);
		else
			ungetc(c, r->file);
		break;
	}
	r->position += r->line.length;
	r->number += r->line.length > 0;
	return r->line.length;
}

/* A record without its length, or a line among records; false at the end. */
static bool read_record(struct summary_reader *r, bool *is_line)
{
	__be32 word;
	size_t length;
	char *to;

	if (fread(&word, 1, sizeof(word), r->file) != sizeof(word))
		return false;
	*is_line = ntohl(word) >> 31;
	length = ntohl(word) & 0x7fffffff;
	if (length < sizeof(word)) {
		tell(r, "binary record too short");
		return false;
	}
	length -= sizeof(word);
	text_clear(&r->line);
	for (size_t got = 0; got < length;) {	/* a length that lies doesn't ask for memory that isn't needed */
		size_t piece = length - got < 65536 ? length - got : 65536;

		to = text_extend(&r->line, piece);
		if (!to || fread(to, 1, piece, r->file) != piece)
			return false;
		got += piece;
	}
	while (*is_line && r->line.length && !r->line.bytes[r->line.length - 1])
		r->line.length--;
	r->position += sizeof(word) + length;
	r->number++;
	return length > 0;
}

static bool read_next(struct summary_reader *r, bool *is_line)
{
	*is_line = true;
	if (r->pending) {
		r->pending = false;
		return true;
	}
	return r->binary ? read_record(r, is_line) : read_line(r);
}

/* -- packets -------------------------------------------------------------------------------------------------------- */

static bool put(struct summary_maker *m, const struct summary_field *field)
{
	field->set(m);
	return true;
}

static int put_line(struct summary_reader *r, struct summary_maker *m, const char *at, const char *end)
{
	int found = 0;

	for (int i = 0; i < r->count; i++)
		r->words[i] = next_word(&at, end);
	for (int i = 0; i < r->count; i++) {
		const struct summary_field *field = r->fields[r->order[i]];
		struct word word = r->words[r->order[i]];

		m->value = (struct summary_value){0};
		if (field && field->set && word.at < word.end && !equals(word, "-") &&
		    field->format->scan(m, word.at, word.end))
			found += put(m, field);
	}
	return found;
}

/* Bytes of a field in a record, without the length that may stand before them; false beyond the record's end. */
static bool cut_field(const struct summary_format *format, const char **at, const char *end, struct word *word)
{
	int length = format->size;

	if (length == SIZE_VARIES && *at < end)
		length = (__u8)*(*at)++;
	if (length < 0 || end - *at < length) {
		*at = end;
		return false;
	}
	word->at = *at;
	word->end = *at += length;
	return true;
}

static void take_bytes(struct summary_maker *m, const struct summary_format *format, struct word word)
{
	const __u8 *bytes = (const __u8 *)word.at;

	if (format->unpack) {
		format->unpack(m, bytes, word.end - word.at);
		return;
	}
	for (const char *s = word.at; s < word.end; s++)
		m->value.number = m->value.number << 8 | (__u8)*s;
}

static int put_record(struct summary_reader *r, struct summary_maker *m, const char *at, const char *end)
{
	int found = 0;

	for (int i = 0; i < r->count; i++) {
		r->words[i] = (struct word){0};
		if (r->fields[i])
			cut_field(r->fields[i]->format, &at, end, &r->words[i]);
	}
	for (int i = 0; i < r->count; i++) {
		const struct summary_field *field = r->fields[r->order[i]];
		struct word word = r->words[r->order[i]];

		if (!field || !field->set || !word.at)
			continue;
		m->value = (struct summary_value){0};
		take_bytes(m, field->format, word);
		found += put(m, field);
	}
	return found;
}

/* Headers that no field asked for, lengths, and annotations. */
static void finish(struct summary_maker *m)
{
	struct iphdr *ip;
	__u32 length = m->length, start;

	if (m->flow)
		make_ip(m, 0);
	if (!m->is_ip || made_network_length(m) < (int)sizeof(*ip))
		return;
	make_transport(m);
	ip = made_ip(m);
	start = pkt_network_offset(m->p);
	if (length >= start)
		length -= start;
	if (length > 0xffff)
		length = 0xffff;
	if (!length)
		length = made_network_length(m);
	ip->tot_len = htons(length);
	if (ip->protocol == IPPROTO_UDP && is_first_fragment(ip) && made_transport_length(m) >= 6) {
		struct udphdr *udp = made_transport(m);

		if (!udp->len)
			udp->len = htons(length - (pkt_transport_offset(m->p) - (int)start));
	}
	memcpy(m->p->anno + DST_IP_ANNO, &ip->daddr, sizeof(ip->daddr));
}

static void complain_once(struct summary_reader *r, bool blank)
{
	if (r->complained || blank)
		return;
	tell(r, r->count ? "packet parse error" : "no '!data' provided");
	r->complained = true;
}

static struct pkt *make_packet(struct summary_reader *r, bool is_line)
{
	const char *at = r->line.bytes, *end = at + r->line.length;
	struct summary_maker m = {
		.p = pkt_new(PKT_HEADROOM, 0),
		.is_ip = true,
		.zero = r->schema->zero,
		.protocol = r->protocol,
		.flow = r->has_flow ? &r->flow : NULL,
		.version = r->version,
		.names = r->schema->names,
	};
	int found;

	if (!m.p)
		return NULL;
	found = is_line ? put_line(r, &m, at, end) : put_record(r, &m, at, end);
	if (found)
		finish(&m);
	else
		complain_once(r, is_line && skip_spaces(at, end) == end);
	text_free(&m.scratch);
	if (!found || m.failed) {
		pkt_free(m.p);
		return NULL;
	}
	if (m.length > pkt_len(m.p))
		pkt_set_anno_u32(m.p, EXTRA_LENGTH_ANNO, m.length - pkt_len(m.p));
	return m.p;
}

enum summary_found summary_read(struct summary_reader *r, struct pkt **p)
{
	bool is_line;

	while (read_next(r, &is_line)) {
		const char *at = r->line.bytes;

		if (!is_line || (*at != '!' && *at != '#')) {
			*p = make_packet(r, is_line);
			return *p ? SUMMARY_PACKET : SUMMARY_NOTHING;
		}
		if (*at == '!')
			read_instruction(r, at, at + r->line.length);
	}
	return SUMMARY_END;
}

/* -- the file ------------------------------------------------------------------------------------------------------- */

/* The first line says which version of the format this is, or is at least one that a summary may begin with. */
static void read_banner(struct summary_reader *r)
{
	static const char *const others[] = {"!creator", "!data", "!contents", "!proto", "!flowid"};
	char *line = r->line.bytes;
	int major, minor;

	text_char(&r->line, '\0');
	line = r->line.bytes;
	r->line.length--;
	r->pending = strncmp(line, "!IPSummaryDump", 14);
	if (!r->pending) {
		if (sscanf(line + 14, " %d.%d", &major, &minor) != 2)
			return;
		r->version = minor;
		if (major == MAJOR && minor <= MINOR)
			return;
		tell(r, "warning: unexpected IPSummaryDump version %d.%d", major, minor);
		r->version = MINOR;
		return;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strncmp(line, others[i], strlen(others[i])))
			return;
	if (!r->count)
		tell(r, "warning: missing banner line; is this an IP summary dump?");
}

static int open_file(struct summary_reader *r, int fd, bool may_be_empty, char *complaint)
{
	const struct summary_schema *schema = r->schema;

	r->file = stream_read(fd);
	if (!r->file)
		return -errno;
	r->version = MINOR;
	r->protocol = schema->protocol;
	if (schema->default_fields)
		set_fields(r, schema->default_fields, schema->default_fields + strlen(schema->default_fields));
	if (schema->default_flow)
		set_flow(r, schema->default_flow, schema->default_flow + strlen(schema->default_flow));
	if (read_line(r)) {
		read_banner(r);
	} else if (!may_be_empty) {
		snprintf(complaint, SUMMARY_COMPLAINT, "%s: empty file", schema->file_name);
		return -ENOENT;
	}
	return 0;
}

int summary_open(struct summary_reader **reader, int fd, const struct summary_schema *schema, bool may_be_empty, char *complaint)
{
	struct summary_reader *r = calloc(1, sizeof(*r));
	int error;

	if (!r) {
		close(fd);
		return -ENOMEM;
	}
	r->schema = schema;
	error = open_file(r, fd, may_be_empty, complaint);
	if (error) {
		summary_close(r);
		return error;
	}
	*reader = r;
	return 0;
}

__u64 summary_position(const struct summary_reader *r)
{
	return r->position - (r->pending ? r->line.length : 0);
}

void summary_close(struct summary_reader *r)
{
	if (r->file)
		fclose(r->file);
	text_free(&r->line);
	free(r->fields);
	free(r->order);
	free(r->words);
	free(r);
}
