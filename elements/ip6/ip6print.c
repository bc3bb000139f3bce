#include "common/line.h"
#include "ip6/ip6.h"

#define BYTES_IN_LINE 24

/* The C library's; its header defines functions that are macros here. */
const char *inet_ntop(int family, const void *from, char *to, unsigned int size);

static void SELF(address)(struct line *line, const void *address)
{
	char text[46];

	fputs(inet_ntop(10 /* AF_INET6 */, address, text, sizeof(text)) ?: "?", line->to);
}

static void SELF(contents)(struct line *line, const __u8 *data, __u32 length)
{
	fputs("\n  ", line->to);
	for (__u32 i = 0; i < length; i++) {
		fprintf(line->to, "%02x", data[i]);
		if (i % BYTES_IN_LINE == BYTES_IN_LINE - 1)
			fputs("\n  ", line->to);
		else if (i % 4 == 3)
			fputc(' ', line->to);
	}
}

ELEMENT(IP6Print)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	const struct SELF(printer) *printer = private(printer);
	struct line line;

	if (!var(vars)->active || !ip || !line_begin(&line, cfg.label, cfg.timestamp ? p : NULL))
		return OUTPUT(0);
	SELF(address)(&line, ip->source);
	fputs(" -> ", line.to);
	SELF(address)(&line, ip->destination);
	fprintf(line.to, " plen %u, next %u, hlim %u", ntohs(ip->length), ip->next, ip->hops);
	if (cfg.contents)
		SELF(contents)(&line, p->data, pkt_len(p) < cfg.nbytes ? pkt_len(p) : cfg.nbytes);
	line_end(&line, printer->fd);
	return OUTPUT(0);
}
