/* Reading packets from files of lines or records, one at a time. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include "stream.h"
#include "summary/reader.h"

#define MAJOR 1
#define MINOR 3

void reader_tell(const struct summary_reader *r, const char *format, ...)
{
	va_list values;

	fprintf(stderr, "%s:%s%u: ", r->schema->file_name, r->binary ? "record " : "", r->number);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
}

/* Read a line with its end: \n, \r or both; false at the end of the file. A line that is too long becomes empty. */
static bool read_line(struct summary_reader *r)
{
	size_t skipped = 0;
	int c;

	text_clear(&r->line);
	while ((c = getc_unlocked(r->file)) != EOF) {
		if (r->line.length == LINE_MOST) {
			skipped += r->line.length;
			text_clear(&r->line);
		}
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
	r->position += skipped + r->line.length;
	r->number += skipped + r->line.length > 0;
	if (skipped) {
		reader_tell(r, "line too long");
		text_clear(&r->line);
		text_char(&r->line, '\n');
	}
	return r->line.length;
}

/* Read a record, without its length, or a line between records; false at the end. */
static bool read_record(struct summary_reader *r, bool *is_line)
{
	__be32 word;
	size_t length;
	char *to;

	if (fread(&word, 1, sizeof(word), r->file) != sizeof(word))
		return false;
	r->number++;
	*is_line = ntohl(word) >> 31;
	length = ntohl(word) & 0x7fffffff;
	if (length < sizeof(word)) {
		reader_tell(r, "binary record too short");
		return false;
	}
	length -= sizeof(word);
	if (length > LINE_MOST) {
		reader_tell(r, "binary record too long");
		return false;
	}
	text_clear(&r->line);
	for (size_t got = 0; got < length;) {	/* allocate step by step: the length may be wrong */
		size_t piece = length - got < 65536 ? length - got : 65536;

		to = text_extend(&r->line, piece);
		if (!to || fread(to, 1, piece, r->file) != piece)
			return false;
		got += piece;
	}
	while (*is_line && r->line.length && !r->line.bytes[r->line.length - 1])
		r->line.length--;
	r->position += sizeof(word) + length;
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

/* The first line gives the format's version, or at least is a valid first line of a summary. */
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
		reader_tell(r, "warning: unexpected IPSummaryDump version %d.%d", major, minor);
		r->version = MINOR;
		return;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strncmp(line, others[i], strlen(others[i])))
			return;
	if (!r->count)
		reader_tell(r, "warning: missing banner line; is this an IP summary dump?");
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
	free(r);
}
