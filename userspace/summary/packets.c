/* Making a packet from a line or record. */
#include <arpa/inet.h>
#include "summary/reader.h"

/* Set the packet's fields from a line's words, in the fields' order; returns the number of valid words. */
static int put_line(struct summary_reader *r, struct summary_maker *m, const char *at, const char *end)
{
	int found = 0;

	for (int i = 0; i < r->count; i++)
		r->words[i] = next_word(&at, end);
	for (int i = 0; i < r->count; i++) {
		const struct summary_field *field = r->fields[r->order[i]];
		struct word word = r->words[r->order[i]];

		m->value = (struct summary_value){0};
		if (!field || !field->set || word.at == word.end || word_is(word, "-") ||
		    !field->format->scan(m, word.at, word.end))
			continue;
		field->set(m);
		found++;
	}
	return found;
}

/* Cut the bytes of a field from a record, without a length byte; false if they exceed the record. */
static bool cut_field(const struct summary_format *format, const char **at, const char *end, struct word *word)
{
	int length = format->size;

	if (length == SIZE_VARIES && *at < end)
		length = (__u8)*(*at)++;
	if (length < 0 || end - *at < length) {
		*at = end;
		return false;
	}
	word->at = *at;
	word->end = *at += length;
	return true;
}

static void take_bytes(struct summary_maker *m, const struct summary_format *format, struct word word)
{
	const __u8 *bytes = (const __u8 *)word.at;

	if (format->unpack) {
		format->unpack(m, bytes, word.end - word.at);
		return;
	}
	for (const char *s = word.at; s < word.end; s++)
		m->value.number = m->value.number << 8 | (__u8)*s;
}

static int put_record(struct summary_reader *r, struct summary_maker *m, const char *at, const char *end)
{
	int found = 0;

	for (int i = 0; i < r->count; i++) {
		r->words[i] = (struct word){0};
		if (r->fields[i])
			cut_field(r->fields[i]->format, &at, end, &r->words[i]);
	}
	for (int i = 0; i < r->count; i++) {
		const struct summary_field *field = r->fields[r->order[i]];
		struct word word = r->words[r->order[i]];

		if (!field || !field->set || !word.at)
			continue;
		m->value = (struct summary_value){0};
		take_bytes(m, field->format, word);
		field->set(m);
		found++;
	}
	return found;
}

/* Write the length into the network header, and annotate the destination. */
static void say_length(struct summary_maker *m, __u32 length)
{
	struct iphdr *ip = made_ip(m);
	struct ip6_hdr *ip6 = made_ip6(m);

	if (m->is_ip6) {
		ip6->ip6_plen = htons(length > sizeof(*ip6) ? length - sizeof(*ip6) : 0);
		memcpy(m->p->anno + DST_IP6_ANNO, &ip6->ip6_dst, sizeof(ip6->ip6_dst));
	} else {
		ip->tot_len = htons(length);
		memcpy(m->p->anno + DST_IP_ANNO, &ip->daddr, sizeof(ip->daddr));
	}
}

/* Make headers that no field needed; set lengths and annotations. */
static void finish(struct summary_maker *m)
{
	__u32 length = m->length, start;

	if (m->flow)
		make_network(m, 0);
	if (!m->is_ip || made_network_length(m) < (int)(m->is_ip6 ? sizeof(struct ip6_hdr) : sizeof(struct iphdr)))
		return;
	make_transport(m);
	start = pkt_network_offset(m->p);
	if (length >= start)
		length -= start;
	if (length > 0xffff)
		length = 0xffff;
	if (!length)
		length = made_network_length(m);
	say_length(m, length);
	if (*made_protocol(m) == IPPROTO_UDP && made_first_fragment(m) && made_transport_length(m) >= 6) {
		struct udphdr *udp = made_transport(m);

		if (!udp->len)
			udp->len = htons(length - (pkt_transport_offset(m->p) - (int)start));
	}
}

static void complain_once(struct summary_reader *r, bool blank)
{
	if (r->complained || blank)
		return;
	reader_tell(r, r->count ? "packet parse error" : "no '!data' provided");
	r->complained = true;
}

struct pkt *make_packet(struct summary_reader *r, bool is_line)
{
	const char *at = r->line.bytes, *end = at + r->line.length;
	struct summary_maker m = {
		.p = pkt_new(PKT_HEADROOM, 0),
		.is_ip = true,
		.zero = r->schema->zero,
		.protocol = r->protocol,
		.flow = r->has_flow ? &r->flow : NULL,
		.version = r->version,
		.names = r->schema->names,
	};
	int found;

	if (!m.p)
		return NULL;
	found = is_line ? put_line(r, &m, at, end) : put_record(r, &m, at, end);
	if (found)
		finish(&m);
	else
		complain_once(r, is_line && skip_spaces(at, end) == end);
	text_free(&m.scratch);
	if (!found || m.failed) {
		pkt_free(m.p);
		return NULL;
	}
	if (m.length > pkt_len(m.p))
		pkt_set_anno_u32(m.p, EXTRA_LENGTH_ANNO, m.length - pkt_len(m.p));
	return m.p;
}
