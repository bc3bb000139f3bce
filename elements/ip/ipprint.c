#include "ethernet/addressline.inc.h"
#include "icmp/icmp.h"

#define TCP 6
#define UDP 17
#define HEX 1
#define HEX_LINE 24	/* bytes */
#define ASCII_LINE 48
#define FIN 0x01	/* of a TCP header (RFC 793) */
#define SYN 0x02
#define RST 0x04
#define PSH 0x08
#define ACK 0x10
#define ICMP_BAD_PROTOCOL 2	/* codes of ICMP_UNREACHABLE */
#define ICMP_BAD_PORT 3

/* The printed fields of a TCP header, or a UDP header's ports. */
struct SELF(transport) {
	__be16 source, destination;
	__be32 sequence, acknowledged;
	__u8 offset, flags;
	__be16 window;
};

static bool SELF(is_first)(const struct iphdr *ip)
{
	return !(ip->frag_off & htons(IP_OFFSET));
}

static void SELF(addresses)(struct line *line, const struct iphdr *ip)
{
	line_ip(line, &ip->saddr);
	fputs(" > ", line->to);
	line_ip(line, &ip->daddr);
	fputs(": ", line->to);
}

/* Print addresses with ports; for a later fragment or a truncated packet, print that fact instead. */
static bool SELF(ports)(struct line *line, const struct iphdr *ip, const void *header, int length, const char *protocol)
{
	const struct SELF(transport) *transport = header;

	if (length < 4 || !SELF(is_first)(ip)) {
		SELF(addresses)(line, ip);
		fprintf(line->to, "%s%s", SELF(is_first)(ip) ? "truncated-" : "", protocol);
		return false;
	}
	line_ip(line, &ip->saddr);
	fprintf(line->to, ".%u > ", ntohs(transport->source));
	line_ip(line, &ip->daddr);
	fprintf(line->to, ".%u: ", ntohs(transport->destination));
	return true;
}

static void SELF(tcp)(struct line *line, struct pkt *p, const struct iphdr *ip, const void *header, int length)
{
	static const struct { __u8 flag; char letter; } letters[] = { { SYN, 'S' }, { FIN, 'F' }, { RST, 'R' }, { PSH, 'P' } };
	const struct SELF(transport) *tcp = header;
	int sent;

	if (!SELF(ports)(line, ip, header, length, "tcp"))
		return;
	if (length < 14) {
		fputs("truncated-tcp", line->to);
		return;
	}
	for (int i = 0; i < 4; i++)
		if (tcp->flags & letters[i].flag)
			fputc(letters[i].letter, line->to);
	if (!(tcp->flags & (SYN | FIN | RST | PSH)))
		fputc('.', line->to);
	/* SYN and FIN take a sequence number each. */
	sent = ntohs(ip->tot_len) - (int)ip_header_length(ip) - 4 * (tcp->offset >> 4) + !!(tcp->flags & SYN) + !!(tcp->flags & FIN);
	fprintf(line->to, " %u:%u(%d,%u,%u)", ntohl(tcp->sequence), ntohl(tcp->sequence) + sent, sent, pkt_len(p), ntohs(ip->tot_len));
	if (tcp->flags & ACK)
		fprintf(line->to, " ack %u", ntohl(tcp->acknowledged));
	if (length < 16)
		fputs("truncated-tcp", line->to);
	else
		fprintf(line->to, " win %u", ntohs(tcp->window));
}

static void SELF(udp)(struct line *line, const struct iphdr *ip, const __u8 *header, int length)
{
	if (!SELF(ports)(line, ip, header, length, "udp"))
		return;
	if (length < 8)
		fputs("truncated-udp", line->to);
	else
		fprintf(line->to, "udp %u", ntohs(word16(header + 4)));
}

/* Print the name or, without one, `unnamed` and the number. */
static void SELF(named)(struct line *line, const char *name, const char *unnamed, int number)
{
	if (name)
		fputs(name, line->to);
	else
		fprintf(line->to, "%s%d", unnamed, number);
}

/* Print an ICMP error and the packet in it; false if too little of the packet is there. */
static bool SELF(unreachable)(struct line *line, const struct icmp_header *icmp, int length)
{
	const char *code = SELF(icmp_code_name)(icmp->type << 8 | icmp->code);
	const struct iphdr *about = (const void *)(icmp + 1);
	const int room = length - (int)sizeof(*icmp);

	fputs("icmp ", line->to);
	if (room >= (int)sizeof(*about)) {
		line_ip(line, &about->daddr);
		fputc(' ', line->to);
	}
	fputs("unreachable ", line->to);
	SELF(named)(line, code, "code ", icmp->code);
	if (room < (int)sizeof(*about)) {
		fputc(' ', line->to);
		return false;
	}
	if (icmp->code == ICMP_NEED_FRAGMENTATION && icmp->mtu)
		fprintf(line->to, " (mtu %u)", ntohs(icmp->mtu));
	if (icmp->code != ICMP_BAD_PROTOCOL && icmp->code != ICMP_BAD_PORT)
		return true;
	fputc(' ', line->to);
	SELF(named)(line, SELF(protocol_name)(about->protocol), icmp->code == ICMP_BAD_PORT ? "protocol " : "", about->protocol);
	if (icmp->code == ICMP_BAD_PROTOCOL)
		return true;
	if (room - (int)ip_header_length(about) < 4)
		return false;
	fprintf(line->to, "/%u", ntohs(word16((const __u8 *)about + ip_header_length(about) + 2)));
	return true;
}

static bool SELF(ping)(struct line *line, const struct icmp_header *icmp, int length)
{
	fputs(icmp->type == ICMP_ECHO ? "icmp echo " : "icmp echo-reply ", line->to);
	if (length < (int)sizeof(*icmp))
		return false;
	fprintf(line->to, "(%u, %u)", cfg.swap ? ntohs(icmp->identifier) : icmp->identifier,
		cfg.swap ? ntohs(icmp->sequence) : icmp->sequence);
	return true;
}

static bool SELF(icmp_message)(struct line *line, const struct icmp_header *icmp, int length)
{
	const char *code;

	if (length < 2)
		return false;
	if (icmp->type == ICMP_ECHO || icmp->type == ICMP_ECHO_REPLY)
		return SELF(ping)(line, icmp, length);
	if (icmp->type == ICMP_UNREACHABLE)
		return SELF(unreachable)(line, icmp, length);
	fputs("icmp ", line->to);
	SELF(named)(line, SELF(icmp_type_name)(icmp->type), "type ", icmp->type);
	code = SELF(icmp_code_name)(icmp->type << 8 | icmp->code);
	if (code || icmp->code) {
		fputc(' ', line->to);
		SELF(named)(line, code, "code ", icmp->code);
	}
	return true;
}

static void SELF(icmp)(struct line *line, const struct iphdr *ip, const void *header, int length)
{
	SELF(addresses)(line, ip);
	if (!SELF(is_first)(ip))
		fputs("icmp", line->to);
	else if (!SELF(icmp_message)(line, header, length))
		fputs("truncated-icmp", line->to);
}

static void SELF(bytes)(struct line *line, const __u8 *byte, int length)
{
	const int in_line = cfg.contents == HEX ? HEX_LINE : ASCII_LINE;
	const int in_group = cfg.contents == HEX ? 4 : 8;

	for (int i = 0; i < length; i++) {
		if (i % in_line == 0)
			fputs("\n  ", line->to);
		else if (i % in_group == 0)
			fputc(' ', line->to);
		if (cfg.contents == HEX)
			fprintf(line->to, "%02x", byte[i]);
		else
			fputc(byte[i] < 32 || byte[i] > 126 ? '.' : byte[i], line->to);
	}
}

/* The offset of the first byte to show; beyond the packet's end if its headers are. `transport` is the offset of the transport
 * header.
 */
static long SELF(first_shown)(struct pkt *p, const struct iphdr *ip, int transport)
{
	const __u8 *offset;

	if (!cfg.payload)
		return 0;
	if (!SELF(is_first)(ip) || (ip->protocol != TCP && ip->protocol != UDP))
		return transport;
	if (ip->protocol == UDP)
		return transport + 8;
	offset = pkt_data(p, transport + 12, 1);
	return offset ? transport + 4 * (*offset >> 4) : (long)pkt_len(p);
}

static void SELF(contents)(struct line *line, struct pkt *p, const struct iphdr *ip, int transport)
{
	const long first = SELF(first_shown)(p, ip, transport);
	const __u8 *data = pkt_data(p, first, 0);
	long length = (long)pkt_len(p) - first;

	if (cfg.shown >= 0 && length > cfg.shown)
		length = cfg.shown;
	if (data && length > 0)
		SELF(bytes)(line, data, length);
}

static void SELF(fields)(struct line *line, const struct iphdr *ip)
{
	if (cfg.id)
		fprintf(line->to, "id %u ", ntohs(ip->id));
	if (cfg.ttl)
		fprintf(line->to, "ttl %u ", ip->ttl);
	if (cfg.tos)
		fprintf(line->to, "tos %u ", ip->tos);
	if (cfg.length)
		fprintf(line->to, "length %u ", ntohs(ip->tot_len));
}

static void SELF(packet)(struct line *line, struct pkt *p, const struct iphdr *ip)
{
	const int transport = pkt_has_transport_header(p) ? pkt_transport_offset(p) : (int)pkt_len(p);
	const int payload = ntohs(ip->tot_len) - (int)ip_header_length(ip);
	const void *header = pkt_data(p, transport, 0);
	const int room = header ? (int)pkt_len(p) - transport : 0;
	const int length = room < payload ? room : payload;

	SELF(fields)(line, ip);
	if (ip->protocol == TCP) {
		SELF(tcp)(line, p, ip, header, length);
	} else if (ip->protocol == UDP) {
		SELF(udp)(line, ip, header, length);
	} else if (ip->protocol == PROTOCOL_ICMP) {
		SELF(icmp)(line, ip, header, length);
	} else {
		SELF(addresses)(line, ip);
		fprintf(line->to, "ip-proto-%u", ip->protocol);
	}
	if (ip->frag_off & htons(IP_MF | IP_OFFSET))
		fprintf(line->to, " (frag %u:%d@%u%s)", ntohs(ip->id), payload, 8 * (ntohs(ip->frag_off) & IP_OFFSET),
			ip->frag_off & htons(IP_MF) ? "+" : "");
	if (cfg.contents)
		SELF(contents)(line, p, ip, transport);
}

static void SELF(annotations)(struct line *line, const struct pkt *p)
{
	if (cfg.aggregate)
		fprintf(line->to, "#%u", pkt_anno_u32(p, AGGREGATE_ANNO));
	if (cfg.paint)
		fprintf(line->to, "%s%u", cfg.aggregate ? "." : "paint ", pkt_anno_u8(p, PAINT_ANNO));
	if (cfg.aggregate || cfg.paint)
		fputs(": ", line->to);
}

ELEMENT(IPPrint)
{
	const struct SELF(printer) *printer = private(printer);
	const struct iphdr *ip;
	struct line line;

	if (!var(vars)->active || cfg.silent || !pkt_has_network_header(p))
		return OUTPUT(0);
	if (!line_begin(&line, cfg.label, cfg.timestamp ? p : NULL))
		return OUTPUT(0);
	SELF(annotations)(&line, p);
	if (cfg.ether)
		SELF(ethernet)(&line, p);
	ip = pkt_network_header(p, sizeof(*ip));
	if (ip)
		SELF(packet)(&line, p, ip);
	else
		fputs("truncated-ip", line.to);
	line_end(&line, printer->fd);
	return OUTPUT(0);
}
