/* Flows, their files, and packets as they look from their beginning. */
#include "summary/flows.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/ip.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "annotations.h"
#include "stream.h"
#include "table.h"

#define BUFFERED 16384		/* bytes of a flow that wait to be written */
#define BUFFERED_ALL (64u << 20)	/* of all flows: when there are more, each packet is written at once */
#define FLOWS_MOST (1u << 20)	/* at a time */
#define EPSILON 1		/* ns: no packet is at the time 0 */
#define NS 1000000000ull
#define SACK 5
#define ACK 0x10		/* a flag of TCP */
#define QUOTED 8		/* bytes of an ICMP error before the packet it is about */
#define ICMP_ERROR 2		/* PAINT of one */
#define FORGET 1024		/* flows that are over before the table is made anew */

struct flow {
	__u32 aggregate;
	__u8 protocol;
	bool begun, known[2];		/* its file; the first sequence number in each direction */
	__be32 source, destination;
	__be16 ports[2];
	__u32 first[2];
	__u64 first_time, packets;
	struct text name, text;
};

struct flow_entry {
	__u64 aggregate;
	struct flow *flow;		/* NULL if it is over */
};

struct flow_dumps {
	const struct flow_layout *layout;
	struct table table;
	__u32 live;
	__u64 buffered;			/* bytes */
};

/* -- which flow ----------------------------------------------------------------------------------------------------- */

/* The addresses and ports of a packet, or of the one that an ICMP error quotes: false if they aren't all there. */
static bool identify(struct pkt *p, struct flow *flow)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const __be16 *ports;
	bool reversed = pkt_anno_u8(p, PAINT_ANNO) & 1;

	if (!ip)
		return false;
	ports = pkt_transport_header(p, 4);
	if (ip->protocol == IPPROTO_ICMP) {
		ip = pkt_header_at(p, p->trans, QUOTED, sizeof(*ip));
		ports = ip ? pkt_header_at(p, p->trans, QUOTED + 4 * ip->ihl, 4) : NULL;
	}
	if (!ports || (ip->protocol != IPPROTO_TCP && ip->protocol != IPPROTO_UDP))
		return false;
	flow->protocol = ip->protocol;
	flow->source = reversed ? ip->daddr : ip->saddr;
	flow->destination = reversed ? ip->saddr : ip->daddr;
	memcpy(&flow->ports[reversed], ports, 2);
	memcpy(&flow->ports[!reversed], ports + 1, 2);
	return true;
}

static int format_address(char *to, size_t size, __be32 address, int part)
{
	const __u8 *bytes = (const __u8 *)&address;

	if (part >= 0 && part <= 3)
		return snprintf(to, size, "%u", bytes[part]);
	return snprintf(to, size, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

static __u32 part_of(__u32 number, int part)
{
	if (part >= 0 && part <= 3)
		return number >> (3 - part) * 8 & 0xff;
	return part == 4 ? number >> 16 : part == 5 ? number & 0xffff : number;
}

static int format_part(char *to, size_t size, const struct flow_name *part, const struct flow *flow)
{
	switch (part->kind) {
	case 'n':
		return snprintf(to, size, "%u", part_of(flow->aggregate, part->part));
	case 'x':
		return snprintf(to, size, "%x", part_of(flow->aggregate, part->part));
	case 'X':
		return snprintf(to, size, "%X", part_of(flow->aggregate, part->part));
	case 's':
		return format_address(to, size, flow->source, part->part);
	case 'd':
		return format_address(to, size, flow->destination, part->part);
	case 'S':
		return snprintf(to, size, "%u", ntohs(flow->ports[0]));
	case 'D':
		return snprintf(to, size, "%u", ntohs(flow->ports[1]));
	default:
		return snprintf(to, size, "%c", flow->protocol == IPPROTO_TCP ? 'T' : 'U');
	}
}

static void expand_name(const struct flow_layout *layout, struct flow *flow)
{
	for (int i = 0; i < layout->parts; i++) {
		const struct flow_name *part = &layout->name[i];
		char text[32];

		if (!part->kind) {
			text_string(&flow->name, part->text);
			continue;
		}
		for (int length = format_part(text, sizeof(text), part, flow); length < part->width; length++)
			text_char(&flow->name, part->zeros ? '0' : '_');
		text_string(&flow->name, text);
	}
	text_char(&flow->name, 0);
}

static struct flow *begin(const struct flow_layout *layout, struct pkt *p, __u32 aggregate)
{
	struct flow *flow = calloc(1, sizeof(*flow));

	if (!flow || !identify(p, flow)) {
		free(flow);
		return NULL;
	}
	flow->aggregate = aggregate;
	flow->known[0] = flow->known[1] = layout->absolute_seq;
	flow->first_time = layout->absolute_time || p->timestamp < EPSILON ? 0 : p->timestamp - EPSILON;
	expand_name(layout, flow);
	return flow;
}

/* Flows that are over leave their entries behind, until there are many. */
static void forget(struct flow_dumps *dumps)
{
	struct table old = dumps->table;

	dumps->table = (struct table){.entry = old.entry, .most = old.most, .refused = old.refused};
	for (__u32 i = 0; i < old.count; i++) {
		struct flow_entry *entry = table_entry(&old, i), *kept;

		if (!entry->flow)
			continue;
		kept = table_get(&dumps->table, entry->aggregate);
		if (kept)
			kept->flow = entry->flow;
	}
	table_clear(&old);
}

static struct flow *find(struct flow_dumps *dumps, struct pkt *p, __u32 aggregate)
{
	struct flow_entry *entry;

	if (dumps->table.count > 2 * dumps->live + FORGET)
		forget(dumps);
	entry = aggregate ? table_find(&dumps->table, aggregate) : NULL;
	if (aggregate && !entry && dumps->live < FLOWS_MOST)
		entry = table_get(&dumps->table, aggregate);
	if (entry && !entry->flow && dumps->live < FLOWS_MOST) {
		entry->flow = begin(dumps->layout, p, aggregate);
		dumps->live += !!entry->flow;
	}
	return entry ? entry->flow : NULL;
}

/* -- files ---------------------------------------------------------------------------------------------------------- */

static void add_time(struct text *out, __u64 time)
{
	if (time % 1000)
		text_format(out, "%llu.%09llu", time / NS, time % NS);
	else
		text_format(out, "%llu.%06llu", time / NS, time % NS / 1000);
}

static void add_head(const struct flow_layout *layout, const struct flow *flow, struct text *out)
{
	char source[16], destination[16];
	bool tcp = flow->protocol == IPPROTO_TCP;

	format_address(source, sizeof(source), flow->source, -1);
	format_address(destination, sizeof(destination), flow->destination, -1);
	text_format(out, "!IPSummaryDump 1.3\n!flowid %s %u %s %u %c\n!aggregate %u\n%s\n", source, ntohs(flow->ports[0]), destination,
		    ntohs(flow->ports[1]), tcp ? 'T' : 'U', flow->aggregate, tcp ? layout->tcp_head : layout->udp_head);
	for (int way = 0; way < 2 && tcp; way++)
		if (flow->first[way])
			text_format(out, "!firstseq %c %u\n", way ? '<' : '>', flow->first[way]);
	if (flow->first_time) {
		text_string(out, "!firsttime ");
		add_time(out, flow->first_time);
		text_char(out, '\n');
	}
	if (layout->binary)
		text_string(out, "!binary\n");
}

/* The folders of a file's name are made. */
static void make_folders(char *name)
{
	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(name, 0777);
		*slash = '/';
	}
}

static bool is_stdout(const struct flow *flow)
{
	return flow->name.length && !strcmp(flow->name.bytes, "-");
}

static FILE *open_file(const struct flow_layout *layout, struct flow *flow)
{
	int flags = O_WRONLY | O_CLOEXEC | (flow->begun ? O_APPEND : O_CREAT | O_TRUNC), fd;

	if (is_stdout(flow)) {
		fd = dup(STDOUT_FILENO);
		return fd < 0 ? NULL : stream_write(fd, STREAM_PLAIN);
	}
	if (!flow->begun)
		make_folders(flow->name.bytes);
	fd = open(flow->name.bytes, flags, 0666);
	return fd < 0 ? NULL : stream_write(fd, layout->format);
}

/* What waits is written, and needs no memory any more. */
static void flush(struct flow_dumps *dumps, struct flow *flow)
{
	const struct flow_layout *layout = dumps->layout;
	struct text head = {0};
	FILE *file = flow->name.length ? open_file(layout, flow) : NULL;
	bool failed = !file;

	if (!flow->begun)
		add_head(layout, flow, &head);
	if (file) {
		fwrite(head.bytes, 1, head.length, file);
		fwrite(flow->text.bytes, 1, flow->text.length, file);
		failed = ferror(file);
		failed |= fclose(file) != 0;
	}
	if (failed)
		fprintf(stderr, "%s: %s\n", flow->name.length ? flow->name.bytes : "ToIPFlowDumps", strerror(errno));
	flow->begun = true;
	text_free(&head);
	dumps->buffered -= flow->text.length;
	text_free(&flow->text);
}

static void end(struct flow_dumps *dumps, struct flow_entry *entry)
{
	struct flow *flow = entry->flow;

	if (!flow)
		return;
	if (flow->packets >= dumps->layout->least)
		flush(dumps, flow);
	else if (flow->begun && !is_stdout(flow))
		unlink(flow->name.bytes);
	dumps->buffered -= flow->text.length;
	text_free(&flow->name);
	text_free(&flow->text);
	free(flow);
	entry->flow = NULL;
	dumps->live--;
}

/* -- packets -------------------------------------------------------------------------------------------------------- */

/* A number as it counts in one direction from the first one, which this may be. */
static __u32 relative(struct flow *flow, int way, __u32 number)
{
	if (!flow->known[way]) {
		flow->first[way] = number;
		flow->known[way] = true;
	}
	return number - flow->first[way];
}

/* The blocks of a SACK option, which are of the other direction. */
static void shift_blocks(struct flow *flow, int way, __u8 *option)
{
	for (int at = 2; at + 4 <= option[1]; at += 4) {
		__be32 number;

		memcpy(&number, option + at, 4);
		number = htonl(relative(flow, !way, ntohl(number)));
		memcpy(option + at, &number, 4);
	}
}

static void shift_options(struct flow *flow, int way, __u8 *option, const __u8 *end)
{
	while (end - option >= 2 && *option) {
		if (*option == 1) {
			option++;
			continue;
		}
		if (option[1] < 2 || option[1] > end - option)
			return;
		if (*option == SACK)
			shift_blocks(flow, way, option);
		option += option[1];
	}
}

/* The sequence numbers of a copy of a packet become those of the flow. */
static void shift(struct flow *flow, struct pkt *p, int way)
{
	struct tcphdr *tcp = pkt_transport_header(p, sizeof(*tcp));

	if (!tcp)
		return;
	tcp->seq = htonl(relative(flow, way, ntohl(tcp->seq)));
	tcp->ack_seq = tcp->ack ? htonl(relative(flow, !way, ntohl(tcp->ack_seq))) : 0;
	if (pkt_transport_header(p, 4 * tcp->doff))
		shift_options(flow, way, (__u8 *)(tcp + 1), (__u8 *)tcp + 4 * tcp->doff);
}

/* No options are no column. */
static void cut_column(struct text *text)
{
	const char *end = text->bytes + text->length;

	if (text->length > 3 && (!memcmp(end - 3, " .\n", 3) || !memcmp(end - 3, " ?\n", 3))) {
		text->length -= 3;
		text_char(text, '\n');
	}
}

static void add_packet(const struct flow_layout *layout, struct flow *flow, struct pkt *p, int way)
{
	bool tcp = flow->protocol == IPPROTO_TCP;
	struct pkt *copy = pkt_clone(p);

	if (!copy)
		return;
	if (tcp)
		shift(flow, copy, way);
	copy->timestamp -= flow->first_time;
	if (!layout->binary) {
		add_time(&flow->text, copy->timestamp);
		text_char(&flow->text, ' ');
	}
	pkt_set_anno_u8(copy, PAINT_ANNO, way);
	summary_write(tcp ? &layout->tcp : &layout->udp, copy, &flow->text);
	if (tcp && !layout->binary)
		cut_column(&flow->text);
	pkt_free(copy);
}

/* An ICMP error is a comment. */
static void add_error(const struct flow_layout *layout, struct flow *flow, const struct pkt *p, int way)
{
	struct text line = {0};

	text_char(&line, '#');
	add_time(&line, p->timestamp);
	text_format(&line, " %c ICMP_error\n", way ? '>' : '<');
	if (layout->binary)
		text_big_endian(&flow->text, (line.length + 4) | 1u << 31, 4);
	text_add(&flow->text, line.bytes, line.length);
	text_free(&line);
}

/* -- from outside --------------------------------------------------------------------------------------------------- */

struct flow_dumps *flow_dumps_new(const struct flow_layout *layout)
{
	struct flow_dumps *dumps = calloc(1, sizeof(*dumps));

	if (dumps) {
		dumps->layout = layout;
		dumps->table.entry = sizeof(struct flow_entry);
		dumps->table.most = TABLE_MOST;	/* never as many: find() */
	}
	return dumps;
}

bool flow_dumps_add(struct flow_dumps *dumps, struct pkt *p)
{
	struct flow *flow = find(dumps, p, pkt_anno_u32(p, AGGREGATE_ANNO));
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	__u8 paint = pkt_anno_u8(p, PAINT_ANNO);
	size_t before;

	if (!flow || !ip || (paint < ICMP_ERROR && ip->protocol != flow->protocol))
		return false;
	before = flow->text.length;
	if (paint >= ICMP_ERROR)
		add_error(dumps->layout, flow, p, paint & 1);
	else
		add_packet(dumps->layout, flow, p, paint);
	flow->packets++;
	dumps->buffered += flow->text.length - before;
	if (flow->text.length >= BUFFERED || dumps->buffered > BUFFERED_ALL)
		flush(dumps, flow);
	return true;
}

void flow_dumps_end(struct flow_dumps *dumps, __u32 aggregate)
{
	struct flow_entry *entry = table_find(&dumps->table, aggregate);

	if (entry)
		end(dumps, entry);
}

void flow_dumps_end_all(struct flow_dumps *dumps)
{
	for (__u32 i = 0; i < dumps->table.count; i++)
		end(dumps, table_entry(&dumps->table, i));
}

void flow_dumps_free(struct flow_dumps *dumps)
{
	flow_dumps_end_all(dumps);
	table_clear(&dumps->table);
	free(dumps);
}
