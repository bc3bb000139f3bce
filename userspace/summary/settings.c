/* Lines that begin with !: settings for the packets that follow. */
#include <arpa/inet.h>
#include <string.h>
#include "summary/number.h"
#include "summary/reader.h"

/* The next word. A part between two equal characters of `quotes` may contain spaces, and between double quotes also escaped quotes. */
static struct word next_quoted(const char **at, const char *end, const char *quotes)
{
	struct word word = {.at = *at};
	const char *s = *at;
	char quote = 0;

	for (; s < end && (quote || !isspace((unsigned char)*s)); s++) {
		if (quote ? *s == quote : *s && strchr(quotes, *s))
			quote = quote ? 0 : *s;
		else if (*s == '\\' && quote == '"' && s + 1 < end)
			s++;
	}
	word.end = s;
	*at = skip_spaces(s, end);
	return word;
}

struct word next_word(const char **at, const char *end)
{
	return next_quoted(at, end, "\"");
}

/* Find up to `most` words of a line that begins with !; returns their number. */
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

/* Find a field by one of its names, in which spaces stand for underscores. */
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

/* Add a field, sorted by `order`, then by its place in the line. */
static void add_field(struct summary_reader *r, const struct summary_field *field)
{
	int place = r->count;

	r->fields[r->count] = field;
	for (; field && place && (!r->fields[r->order[place - 1]] || r->fields[r->order[place - 1]]->order > field->order); place--)
		r->order[place] = r->order[place - 1];
	r->order[place] = r->count++;
}

void set_fields(struct summary_reader *r, const char *at, const char *end)
{
	const struct summary_field *field;
	char name[64];

	r->count = 0;
	for (at = skip_spaces(at, end); at < end && r->count < FIELDS_MOST;) {
		field_name(next_quoted(&at, end, "\"'"), name, sizeof(name));
		field = find_field(r->schema, name);
		if (!field)
			reader_tell(r, "warning: unknown content type '%s'", name);
		else if (!field->set)
			reader_tell(r, "warning: content type '%s' ignored on input", name);
		add_field(r, field);
	}
	if (!r->count)
		reader_tell(r, "no contents specified");
	if (at < end)
		reader_tell(r, "more than %d fields", FIELDS_MOST);
}

static void set_protocol(struct summary_reader *r, struct word word, const char *what)
{
	__u64 number;

	if (summary_name_value(r->schema->names, SUMMARY_PROTOCOL, word.at, word.end, &number) && number < 256)
		r->protocol = number;
	else if ((number = summary_protocol(word.at, word.end)))
		r->protocol = number;
	else
		reader_tell(r, "bad protocol in %s", what);
}

/* Sets *is_ip6 if the address is IPv6. */
static bool flow_address(const struct summary_reader *r, struct word word, __u8 *address, bool *is_ip6)
{
	__u64 number = 0;

	if (summary_address6(word.at, word.end, address)) {
		*is_ip6 = true;
		return true;
	}
	if (!summary_address(r->schema->names, word.at, word.end, &number) && !word_is(word, "-"))
		return false;
	for (int i = 0; i < 4; i++)
		address[i] = number >> (24 - 8 * i);
	return true;
}

static bool flow_port(struct word word, __be16 *port)
{
	__u64 number = 0;

	if (!number_is(word.at, word.end, 0, 16, &number) && !word_is(word, "-"))
		return false;
	*port = htons(number);
	return true;
}

/* SRC SPORT DST DPORT [PROTO] */
void set_flow(struct summary_reader *r, const char *at, const char *end)
{
	struct word words[5];
	int count = split(at, end, words, 5);
	bool from_ip6 = false, to_ip6 = false;

	r->flow = (struct summary_flow){0};
	r->has_flow = count >= 4 && flow_address(r, words[0], r->flow.src, &from_ip6) && flow_port(words[1], &r->flow.sport) &&
		      flow_address(r, words[2], r->flow.dst, &to_ip6) && flow_port(words[3], &r->flow.dport) &&
		      (from_ip6 == to_ip6 || word_is(words[from_ip6 ? 2 : 0], "-"));
	r->flow.is_ip6 = from_ip6 || to_ip6;
	if (!r->has_flow)
		reader_tell(r, "bad !flowid specification");
	else if (count > 4)
		set_protocol(r, words[4], "!flowid");
}

void read_instruction(struct summary_reader *r, const char *at, const char *end)
{
	struct word word = next_word(&at, end), words[1];
	int count = split(at, end, words, 1);
	__u64 number;

	if (word.end == end)
		return;		/* truncated */
	if (word_is(word, "!data") || word_is(word, "!contents")) {
		set_fields(r, at, end);
	} else if (word_is(word, "!flowid")) {
		set_flow(r, at, end);
	} else if (word_is(word, "!proto")) {
		if (count == 1)
			set_protocol(r, words[0], "!proto");
		else
			reader_tell(r, "bad !proto");
	} else if (word_is(word, "!aggregate")) {
		if (count != 1 || !number_is(words[0].at, words[0].end, 0, 32, &number))
			reader_tell(r, "bad !aggregate specification");
	} else if (word_is(word, "!binary")) {
		if (count)
			reader_tell(r, "bad !binary specification");
		r->binary = true;
		r->number = 0;
	}
}
