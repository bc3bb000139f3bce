/* Making a line or record from a packet. */
#include "summary/field.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static void bad(const struct summary_view *v, const char *what, int number)
{
	if (!v->bad || v->bad->length)
		return;
	text_format(v->bad, "!bad %s", what);
	if (number >= 0)
		text_number(v->bad, number);
	text_char(v->bad, '\n');
}

static const char *protocol_name(int protocol)
{
	switch (protocol) {
	case IPPROTO_TCP:
		return "TCP";
	case IPPROTO_UDP:
		return "UDP";
	case IPPROTO_ICMP:
		return "ICMP";
	case IPPROTO_ICMPV6:
		return "ICMPv6";
	case OF_TCP_OR_UDP:
		return "TCP/UDP";
	}
	return "?";
}

static bool is_of(const struct summary_view *v, int protocol)
{
	if (v->network_length < 10)
		return true;
	if (protocol == OF_TCP_OR_UDP)
		return v->protocol == IPPROTO_TCP || v->protocol == IPPROTO_UDP;
	return v->protocol == protocol;
}

static bool is_later_fragment(const struct summary_view *v)
{
	return v->ip6 ? v->chain.later : !is_first_fragment(v->ip);
}

bool summary_missing(const struct summary_view *v, int protocol, int length)
{
	char what[64];
	const char *name = protocol_name(protocol);

	if (!v->bad || v->bad->length)
		return false;
	if (protocol == OF_ETHERNET) {
		bad(v, "Ethernet header", -1);
	} else if (!v->ip && !v->ip6) {
		bad(v, "no IP header", -1);
	} else if (protocol == OF_IP && v->ip) {
		bad(v, "truncated IP header capture", -1);
	} else if (is_of(v, protocol)) {	/* a packet of another protocol isn't bad */
		const char *captured =
			v->transport_length + (int)pkt_anno_u32(v->p, EXTRA_LENGTH_ANNO) >= length ? " capture" : "";

		if (is_later_fragment(v))
			snprintf(what, sizeof(what), "fragmented %s header", name);
		else
			snprintf(what, sizeof(what), "truncated %s header%s", name, captured);
		bad(v, what, -1);
	}
	return false;
}

/* Find a valid IP header, and the number of bytes after the IP packet. */
static void look_at_ip(struct summary_view *v)
{
	const struct iphdr *ip = pkt_has_network_header(v->p) ? (void *)(v->p->head + v->p->net) : NULL;
	int captured = v->network_length, extra = pkt_anno_u32(v->p, EXTRA_LENGTH_ANNO);
	int total;

	if (!ip || v->ip6)
		return;
	if (captured < 4)
		return bad(v, "truncated IP header", -1);
	total = ntohs(ip->tot_len);
	if (ip->version != 4)
		return bad(v, "IP version ", ip->version);
	if (ip->ihl < 5)
		return bad(v, "IP header length ", ip->ihl);
	if (total < 4 * ip->ihl)
		return bad(v, "IP length ", total);
	if (captured > total) {
		v->padding = captured - total;
		pkt_set_anno_u32(v->p, EXTRA_LENGTH_ANNO, extra + v->padding);
		v->network_length -= v->padding;
		v->transport_length -= v->padding;
		v->length -= v->padding;
	} else if (v->careful && captured + extra < total) {
		bad(v, "truncated IP missing ", total - captured - extra);
	}
	v->ip = ip;
}

/* The same for a complete IPv6 header, and the header after its extension headers. */
static void look_at_ip6(struct summary_view *v, const struct summary_chain *chain)
{
	const struct ip6_hdr *ip6 = (const void *)(v->p->head + v->p->net);
	int total = (int)sizeof(*ip6) + ntohs(ip6->ip6_plen), extra = pkt_anno_u32(v->p, EXTRA_LENGTH_ANNO);

	if (v->network_length > total) {
		v->padding = v->network_length - total;
		v->network_length = total;
		v->length -= v->padding;
	} else if (v->careful && v->network_length + extra < total) {
		bad(v, "truncated IPv6 missing ", total - v->network_length - extra);
	}
	v->ip6 = ip6;
	v->chain = *chain;
	v->transport_length = v->network_length - chain->offset;
	v->protocol = chain->protocol;
	if (chain->protocol >= 0 && !chain->later && v->transport_length > 0)
		v->transport = (const __u8 *)ip6 + chain->offset;
}

static void look_behind_ip(struct summary_view *v)
{
	if (!v->ip)
		return;
	v->protocol = v->ip->protocol;
	if (pkt_has_transport_header(v->p) && v->network_length > 4 * v->ip->ihl && is_first_fragment(v->ip))
		v->transport = v->p->head + v->p->trans;
}

static void look_at_transport(struct summary_view *v)
{
	const void *header = v->transport;

	if (!header)
		return;
	switch (v->protocol) {
	case IPPROTO_TCP:
		v->tcp = header;
		if (v->transport_length > 12 && tcp_words(v->tcp) < 5) {
			bad(v, "TCP header length ", tcp_words(v->tcp));
			v->tcp = NULL;
		}
		break;
	case IPPROTO_UDP:
		v->udp = header;
		break;
	case IPPROTO_ICMP:
		if (v->ip)
			v->icmp = header;
		break;
	}
}

/* Lengths in lines are the IP header's: the annotation then only has bytes that the header can't count. */
static void settle_extra_length(struct summary_view *v)
{
	__u32 extra = pkt_anno_u32(v->p, EXTRA_LENGTH_ANNO);
	__u32 full = v->network_length + extra;

	if (v->ip && extra)
		pkt_set_anno_u32(v->p, EXTRA_LENGTH_ANNO,
				 v->ip->tot_len != 0xffff || full <= 0xffff ? 0 : full - 0xffff);
}

static void view(struct summary_view *v, bool ip, const struct summary_chain *chain)
{
	v->length = pkt_len(v->p);
	if (pkt_has_network_header(v->p))
		v->network_length = v->p->tail - (v->p->head + v->p->net);
	if (pkt_has_transport_header(v->p))
		v->transport_length = v->p->tail - (v->p->head + v->p->trans);
	if (!ip)
		return;
	if (chain)
		look_at_ip6(v, chain);
	look_at_ip(v);
	look_behind_ip(v);
	look_at_transport(v);
	settle_extra_length(v);
}

static void write_line(const struct summary_layout *layout, struct summary_view *v, struct text *out)
{
	for (int i = 0; i < layout->count; i++) {
		const struct summary_field *field = layout->fields[i];

		if (i)
			text_char(out, ' ');
		v->value = (struct summary_value){0};
		if (field->get(v))
			field->format->print(v, out);
		else
			text_char(out, '-');
	}
	text_char(out, '\n');
}

/* A record begins with its length. (With the top bit set, a line of text follows instead: insert_bad().) */
static void write_record(const struct summary_layout *layout, struct summary_view *v, struct text *out)
{
	size_t start = out->length;
	__be32 length;

	if (!text_extend(out, sizeof(length)))
		return;
	for (int i = 0; i < layout->count; i++) {
		const struct summary_field *field = layout->fields[i];
		bool found;

		v->value = (struct summary_value){0};
		found = field->get(v);
		if (field->format->pack)
			field->format->pack(v, found, out);
		else
			text_big_endian(out, found ? v->value.number : 0, field->format->size);
	}
	length = htonl(out->length - start);
	memcpy(out->bytes + start, &length, sizeof(length));
}

static void insert_bad(const struct summary_layout *layout, struct text *bad, struct text *out)
{
	if (layout->binary && bad->length)
		text_big_endian(out, (bad->length + 4) | 1u << 31, 4);
	text_add(out, bad->bytes, bad->length);
	text_free(bad);
}

void summary_write(const struct summary_layout *layout, struct pkt *p, const struct summary_chain *chain, struct text *out)
{
	struct text bad = {0}, line = {0};
	struct summary_view v = {
		.p = p,
		.careful = layout->careful,
		.extra_length = layout->extra_length,
		.bad = layout->bad_packets ? &bad : NULL,
		.names = layout->names,
	};
	struct text *to = layout->bad_packets ? &line : out;

	view(&v, layout->looks_at_ip, chain);
	if (layout->binary)
		write_record(layout, &v, to);
	else
		write_line(layout, &v, to);
	if (!layout->bad_packets)
		return;
	insert_bad(layout, &bad, out);
	text_add(out, line.bytes, line.length);
	text_free(&line);
}
