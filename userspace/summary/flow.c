/* One flow: its name, and its packets with relative sequence numbers and times. */
#include "summary/flow.h"
#include <linux/ip.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include "annotations.h"

#define EPSILON 1		/* ns; no packet has the time 0 */
#define SACK 5
#define QUOTED 8		/* bytes of an ICMP error before the quoted packet */

/* -- which flow ----------------------------------------------------------------------------------------------------- */

/* The addresses and ports of a packet, or of the packet that an ICMP error quotes; false if some are missing. */
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

struct flow *flow_begin(const struct flow_layout *layout, struct pkt *p, __u32 aggregate)
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

/* -- text ----------------------------------------------------------------------------------------------------------- */

void flow_add_head(const struct flow_layout *layout, const struct flow *flow, struct text *out)
{
	char source[16], destination[16];
	bool tcp = flow->protocol == IPPROTO_TCP;

	format_address(source, sizeof(source), flow->source, -1);
	format_address(destination, sizeof(destination), flow->destination, -1);
	text_format(out, "!IPSummaryDump 1.3\n!flowid %s %u %s %u %c\n!aggregate %u\n%s\n", source, ntohs(flow->ports[0]), destination,
		    ntohs(flow->ports[1]), tcp ? 'T' : 'U', flow->aggregate, tcp ? layout->tcp_head : layout->udp_head);
	for (int direction = 0; direction < 2 && tcp; direction++)
		if (flow->first[direction])
			text_format(out, "!firstseq %c %u\n", direction ? '<' : '>', flow->first[direction]);
	if (flow->first_time) {
		text_string(out, "!firsttime ");
		text_time(out, flow->first_time);
		text_char(out, '\n');
	}
	if (layout->binary)
		text_string(out, "!binary\n");
}

/* -- packets -------------------------------------------------------------------------------------------------------- */

/* A sequence number relative to the first of its direction, which it becomes if there is none. */
static __u32 relative(struct flow *flow, int direction, __u32 number)
{
	if (!flow->known[direction]) {
		flow->first[direction] = number;
		flow->known[direction] = true;
	}
	return number - flow->first[direction];
}

/* Make the blocks of a SACK option relative; their numbers belong to the other direction. */
static void shift_blocks(struct flow *flow, int direction, __u8 *option)
{
	for (int at = 2; at + 4 <= option[1]; at += 4) {
		__be32 number;

		memcpy(&number, option + at, 4);
		number = htonl(relative(flow, !direction, ntohl(number)));
		memcpy(option + at, &number, 4);
	}
}

static void shift_options(struct flow *flow, int direction, __u8 *option, const __u8 *end)
{
	while (end - option >= 2 && *option) {
		if (*option == 1) {
			option++;
			continue;
		}
		if (option[1] < 2 || option[1] > end - option)
			return;
		if (*option == SACK)
			shift_blocks(flow, direction, option);
		option += option[1];
	}
}

/* Make the sequence numbers of a packet's copy relative to those of its flow. */
static void shift(struct flow *flow, struct pkt *p, int direction)
{
	struct tcphdr *tcp = pkt_transport_header(p, sizeof(*tcp));

	if (!tcp)
		return;
	tcp->seq = htonl(relative(flow, direction, ntohl(tcp->seq)));
	tcp->ack_seq = tcp->ack ? htonl(relative(flow, !direction, ntohl(tcp->ack_seq))) : 0;
	if (pkt_transport_header(p, 4 * tcp->doff))
		shift_options(flow, direction, (__u8 *)(tcp + 1), (__u8 *)tcp + 4 * tcp->doff);
}

/* Drop the options column of a packet without options. */
static void cut_column(struct text *text)
{
	const char *end = text->bytes + text->length;

	if (text->length > 3 && (!memcmp(end - 3, " .\n", 3) || !memcmp(end - 3, " ?\n", 3))) {
		text->length -= 3;
		text_char(text, '\n');
	}
}

void flow_add_packet(const struct flow_layout *layout, struct flow *flow, struct pkt *p, int direction)
{
	bool tcp = flow->protocol == IPPROTO_TCP;
	struct pkt *copy = pkt_clone(p);

	if (!copy)
		return;
	if (tcp)
		shift(flow, copy, direction);
	copy->timestamp -= flow->first_time;
	if (!layout->binary) {
		text_time(&flow->text, copy->timestamp);
		text_char(&flow->text, ' ');
	}
	pkt_set_anno_u8(copy, PAINT_ANNO, direction);
	summary_write(tcp ? &layout->tcp : &layout->udp, copy, NULL, &flow->text);
	if (tcp && !layout->binary)
		cut_column(&flow->text);
	pkt_free(copy);
}

/* ICMP errors are written as comments. */
void flow_add_error(const struct flow_layout *layout, struct flow *flow, const struct pkt *p, int direction)
{
	struct text line = {0};

	text_char(&line, '#');
	text_time(&line, p->timestamp);
	text_format(&line, " %c ICMP_error\n", direction ? '>' : '<');
	if (layout->binary)
		text_big_endian(&flow->text, (line.length + 4) | 1u << 31, 4);
	text_add(&flow->text, line.bytes, line.length);
	text_free(&line);
}
