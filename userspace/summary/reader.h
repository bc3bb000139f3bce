/* The state of a summary reader, and the functions that its files share. */
#pragma once

#include <ctype.h>
#include <stdio.h>
#include "summary/field.h"

/* The most bytes of a line or record, and the most fields in one; longer ones are ignored. */
#define LINE_MOST (1u << 20)
#define FIELDS_MOST 256

struct word {
	const char *at, *end;
};

struct summary_reader {
	FILE *file;
	const struct summary_schema *schema;
	struct text line;			/* the line read last, with its end */
	bool pending;				/* the line hasn't been processed yet */
	__u64 position;				/* in the file, of the next line */
	unsigned int number;			/* of the line, from 1 */
	bool binary;				/* records follow */
	int version;				/* minor version of the format */
	__u8 protocol;
	bool has_flow, complained;
	struct summary_flow flow;
	const struct summary_field *fields[FIELDS_MOST];	/* of each packet's line; NULL for a field that is skipped */
	int order[FIELDS_MOST];			/* the order in which fields are put into the packet */
	struct word words[FIELDS_MOST];		/* room for a line's fields */
	int count;
};

/* Print a line on standard error as Click does: "dump:3: packet parse error". */
void reader_tell(const struct summary_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool word_is(struct word word, const char *text)
{
	return (size_t)(word.end - word.at) == strlen(text) && !memcmp(word.at, text, word.end - word.at);
}

static inline const char *skip_spaces(const char *at, const char *end)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	return at;
}

/* A word ends at a space that isn't within double quotes. Moves *at to the rest of the line. */
struct word next_word(const char **at, const char *end);

/* Process settings for the packets that follow: a line that begins with !, or the rest of a line after "!data" or "!flowid". */
void read_instruction(struct summary_reader *r, const char *at, const char *end);
void set_fields(struct summary_reader *r, const char *at, const char *end);
void set_flow(struct summary_reader *r, const char *at, const char *end);

/* Make the packet of the line or record that was read last; NULL if that is invalid, or when out of memory. */
struct pkt *make_packet(struct summary_reader *r, bool is_line);
