/* Lines about packets, for a person to read. */
#include "element.h"
#include "common/line.h"

#include <stdlib.h>
#include <unistd.h>

bool line_begin(struct line *line, const char *label, const struct pkt *timed)
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

void line_end(struct line *line, int fd)
{
	fputc('\n', line->to);
	if (fclose(line->to) == 0 && write(fd, line->text, line->length) < 0)
		line->length = 0;
	free(line->text);
}

void line_ip(struct line *line, const void *address)
{
	const __u8 *byte = address;

	fprintf(line->to, "%u.%u.%u.%u", byte[0], byte[1], byte[2], byte[3]);
}

void line_ether(struct line *line, const void *address)
{
	const __u8 *byte = address;

	fprintf(line->to, "%02X-%02X-%02X-%02X-%02X-%02X", byte[0], byte[1], byte[2], byte[3], byte[4], byte[5]);
}
