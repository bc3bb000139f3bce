#include <stdio.h>
#include <stdlib.h>

#define LINE_ROOM 160	/* for all but label and contents */

static char *SELF(hex)(char *to, const __u8 *data, __u32 length)
{
	for (__u32 i = 0; i < length; i++)
		to += sprintf(to, i && i % 4 == 0 ? " %02x" : "%02x", data[i]);
	return to;
}

static char *SELF(text)(char *to, const __u8 *data, __u32 length)
{
	for (__u32 i = 0; i < length; i++) {
		if (i % 8 == 0)
			*to++ = ' ';
		*to++ = data[i] < 32 || data[i] > 126 ? '.' : data[i];
	}
	return to;
}

/* The text before the contents. */
static char *SELF(heading)(char *to, const struct pkt *p)
{
	const char *separator = "";

	if (cfg.label[0]) {
		to += sprintf(to, "%s", cfg.label);
		separator = ": ";
	}
	if (cfg.timestamp) {
		const __u64 part = p->timestamp % 1000000000;
		const bool nanoseconds = part % 1000;

		to += sprintf(to, "%s%llu.%0*llu", separator, p->timestamp / 1000000000, nanoseconds ? 9 : 6,
			      nanoseconds ? part : part / 1000);
		separator = ": ";
	}
	to += sprintf(to, "%s%4u", separator, pkt_len(p));
	if (cfg.headroom)
		to += sprintf(to, " (h%td t%td)", p->data - p->head, p->end - p->tail);
	if (cfg.printanno) {
		to += sprintf(to, " | ");
		for (int i = 0; i < ANNO_SIZE; i++)
			to += sprintf(to, "%02x", p->anno[i]);
	}
	return to;
}

ELEMENT(Print)
{
	__u32 shown = cfg.shown < 0 || (__u32)cfg.shown > pkt_len(p) ? pkt_len(p) : (__u32)cfg.shown;
	char *line, *end;

	if (!var(vars)->active)
		return OUTPUT(0);
	line = malloc(__builtin_strlen(cfg.label) + LINE_ROOM + 3 * (size_t)shown);
	if (!line)
		return OUTPUT(0);
	end = SELF(heading)(line, p);
	if (shown) {
		end += sprintf(end, " | ");
		end = cfg.contents == SELF(ASCII) ? SELF(text)(end, p->data, shown) : SELF(hex)(end, p->data, shown);
	}
	*end++ = '\n';
	fwrite(line, 1, end - line, stderr);
	free(line);
	return OUTPUT(0);
}
