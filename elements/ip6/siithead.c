/* The head of a packet in the other IP version, as both translators write it. */
#include "element.h"
#include "ip6/siithead.h"

#include <string.h>

void *siit_add(struct siit_head *head, __u32 length)
{
	void *at = head->bytes + head->have;

	memset(at, 0, length);
	head->have += length;
	return at;
}

/* Whether a TCP or UDP header is there, in the packet and in its translation. */
static bool siit_has_header(const struct siit_arrived *in)
{
	const __u32 end = in->payload + (in->protocol == PROTOCOL_TCP ? sizeof(struct tcp_header) : sizeof(struct udp_header));

	return end <= in->length && end <= in->end;
}

bool siit_note_check(struct siit_head *head, const struct siit_arrived *in, __u16 from, __u16 to)
{
	const int at = siit_checksum_at(in->protocol);

	if (at < 0 || !in->first)
		return true;
	if (!siit_has_header(in))
		return in->quoted;
	head->check_at = head->have + at;
	head->udp = in->protocol == PROTOCOL_UDP;
	head->from = from;
	head->to = to;
	if (head->udp && !siit_get16(in->packet + in->payload + at)) {
		head->fill = !in->quoted;
		if (in->quoted)
			head->check_at = -1;
		return in->quoted || !in->fragment;
	}
	return true;
}

/* The shortest quoted packet before an extension (RFC 4884, 5.1 to 5.4). */
#define QUOTED_LEAST 128

__u32 siit_note_quoted(struct siit_head *head, const struct siit_arrived *in, __u32 words, __u32 unit)
{
	const __u32 begin = in->payload + SIIT_ICMP_HEADER, there = in->end - begin;
	const __u32 length = words && words * unit < there ? words * unit : there;

	head->keep = head->quoted = begin + length;
	head->extended = length >= QUOTED_LEAST ? there - length : 0;
	return length;
}

/* Keep the extension, and cut or pad the quoted packet before it. False if there is no room. */
static bool fit_extension(struct siit_head *head, __u32 most, __u32 unit, __u32 attribute)
{
	const __u32 front = head->message + SIIT_ICMP_HEADER, before = head->quoted - head->replaced + head->have - front;
	__u32 after = before > QUOTED_LEAST ? before : QUOTED_LEAST;

	if (front + QUOTED_LEAST + head->extended > most)
		return false;
	if (front + after + head->extended > most)
		after = most - front - head->extended;
	after = after / unit * unit;
	head->bytes[head->message + attribute] = after / unit;
	head->pad = (int)after - (int)before;
	head->keep = head->quoted + head->extended;
	return true;
}

void siit_fit(struct siit_head *head, __u32 most, __u32 unit, __u32 attribute)
{
	if (attribute && head->extended && fit_extension(head, most, unit, attribute))
		return;
	head->extended = 0;
	if (siit_length(head) > most)
		head->keep = most + head->replaced - head->have;
}

bool siit_icmp_is_right(const struct siit_arrived *in, __u64 pseudo)
{
	const __u32 length = in->end - in->payload;

	return length >= SIIT_ICMP_HEADER && checksum_is_right(pseudo + (__u16)~checksum(in->packet + in->payload, length));
}

void siit_add_echo(struct siit_head *head, const struct siit_arrived *in, __u8 type, __u16 from, __u16 to)
{
	const __u8 *icmp = in->packet + in->payload;
	__u8 *new = siit_add(head, 4);

	new[0] = type;
	new[1] = icmp[1];
	word16(new + 2) = checksum_update(checksum_update(word16(icmp + 2), word16(icmp), word16(new)), from, to);
	head->replaced += 4;
}

void siit_add_message(struct siit_head *head, const struct siit_message *message)
{
	__u8 *new = siit_add(head, SIIT_ICMP_HEADER);

	new[0] = message->type;
	new[1] = message->code;
	word32(new + 4) = htonl(message->rest);
	head->replaced += SIIT_ICMP_HEADER;
}
