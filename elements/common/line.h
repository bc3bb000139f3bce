/* Lines about packets, for a person to read: put together in memory, and written by one system call.
 *
 * Runtime only.
 */
#ifndef CLICKBPF_COMMON_LINE_H
#define CLICKBPF_COMMON_LINE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct line {
	FILE *to;		/* write to this */
	char *text;
	size_t length;
};

/* Begin with the label, if it isn't empty, and the time, if there is a packet that has it. */
static inline bool line_begin(struct line *line, const char *label, const struct pkt *timed)
{
	line->to = open_memstream(&line->text, &line->length);
	if (!line->to)
		return false;
	if (label[0])
		fprintf(line->to, "%s: ", label);
	if (timed) {
		const __u64 part = timed->timestamp % 1000000000;
		const bool nanoseconds = part % 1000;

		fprintf(line->to, "%llu.%0*llu: ", timed->timestamp / 1000000000, nanoseconds ? 9 : 6,
			nanoseconds ? part : part / 1000);
	}
	return true;
}

/* Write it to the descriptor. If that can't take it, as when a disk is full, the router goes on without. */
static inline void line_end(struct line *line, int fd)
{
	fputc('\n', line->to);
	if (fclose(line->to) == 0 && write(fd, line->text, line->length) < 0)
		line->length = 0;
	free(line->text);
}

static inline void line_ip(struct line *line, const void *address)
{
	const __u8 *byte = address;

	fprintf(line->to, "%u.%u.%u.%u", byte[0], byte[1], byte[2], byte[3]);
}

static inline void line_ether(struct line *line, const void *address)
{
	const __u8 *byte = address;

	fprintf(line->to, "%02X-%02X-%02X-%02X-%02X-%02X", byte[0], byte[1], byte[2], byte[3], byte[4], byte[5]);
}

#endif
