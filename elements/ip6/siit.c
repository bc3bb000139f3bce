/* IPv6 packets that become IPv4 packets, and back (RFC 7915): those that aren't plain. */
#include "element.h"
#include "ip6/siit.h"

#include <linux/ip.h>
#include <string.h>

#define ICMP_HEADER 8
#define NOT_TRANSLATED (-1)
/* An IPv6 packet that is no error's fault is no longer than the least MTU (RFC 4443, 2.4 c). */
#define LEAST_MTU 1280

struct fragment_header {
	__u8 next, reserved;
	__be16 place;		/* offset in units of 8 bytes, two bits of nothing, "more fragments" */
	__be32 id;
};

/* A packet as it comes in, outer or within an error. */
struct arrived {
	const __u8 *packet;
	__u32 length;		/* bytes that are there */
	bool quoted;		/* within an error: it may be cut, and went the other way */
	__u32 payload;		/* where the transport header is */
	__u32 end;		/* where it ends, by its header */
	__u8 protocol;
	bool named;		/* it has a fragment header; it is a fragment only if it isn't whole by itself */
	bool fragment, first, more;
	__u32 place, id;	/* of a fragment, in units of 8 bytes */
};

struct message {
	int type, code;		/* type NOT_TRANSLATED: the message has no counterpart */
	__u32 rest;		/* the four bytes after the checksum, host order */
};

static void *head_add(struct siit_head *head, __u32 length)
{
	void *at = head->bytes + head->have;

	memset(at, 0, length);
	head->have += length;
	return at;
}

static __u16 get16(const __u8 *at)
{
	return at[0] << 8 | at[1];
}

/* Whether a header of TCP or UDP is there, in the packet and in what has come of it. */
static bool has_header(const struct arrived *in)
{
	const __u32 end = in->payload + (in->protocol == PROTOCOL_TCP ? sizeof(struct tcp_header) : sizeof(struct udp_header));

	return end <= in->length && end <= in->end;
}

/* Notes that a checksum of TCP or UDP at `payload` has to be updated, if it is there. False if it is not, and should be. */
static bool head_check(struct siit_head *head, const struct arrived *in, __u16 from, __u16 to)
{
	const int at = siit_checksum_at(in->protocol);

	if (at < 0 || !in->first)
		return true;
	if (!has_header(in))
		return in->quoted;
	head->check_at = head->have + at;
	head->udp = in->protocol == PROTOCOL_UDP;
	head->from = from;
	head->to = to;
	if (head->udp && !get16(in->packet + in->payload + at)) {
		head->fill = !in->quoted;
		if (in->quoted)
			head->check_at = -1;
		return in->quoted || !in->fragment;
	}
	return true;
}

/* How many bytes of an error's packet there are: what follows them by RFC 4884 is left out. */
static __u32 quoted_length(const struct arrived *in, __u32 words, __u32 unit)
{
	const __u32 begin = in->payload + ICMP_HEADER, there = in->end - begin;

	return words && words * unit < there ? words * unit : there;
}

static bool icmp_is_right(const struct arrived *in, __u64 pseudo)
{
	const __u32 length = in->end - in->payload;

	return length >= ICMP_HEADER && checksum_is_right(pseudo + (__u16)~checksum(in->packet + in->payload, length));
}

/* An echo's header: type and checksum change, and the pseudo-header that ICMPv6 has and ICMP hasn't comes or goes. */
static void head_echo(struct siit_head *head, const struct arrived *in, __u8 type, __u16 from, __u16 to)
{
	const __u8 *icmp = in->packet + in->payload;
	__u8 *new = head_add(head, 4);

	new[0] = type;
	new[1] = icmp[1];
	word16(new + 2) = checksum_update(checksum_update(word16(icmp + 2), word16(icmp), word16(new)), from, to);
	head->replaced += 4;
}

static void head_message(struct siit_head *head, const struct message *message)
{
	__u8 *new = head_add(head, ICMP_HEADER);

	new[0] = message->type;
	new[1] = message->code;
	word32(new + 4) = htonl(message->rest);
	head->replaced += ICMP_HEADER;
}

/* -- IPv6 to IPv4 -------------------------------------------------------------------------------------------------- */

/* Goes along the extension headers: they are left out (RFC 7915, 5.1). False if that isn't possible. */
static bool parse6(struct arrived *in)
{
	const struct ip6_header *ip = (const void *)in->packet;

	if (in->length < sizeof(*ip) || ip6_version(ip) != 6)
		return false;
	in->payload = sizeof(*ip);
	in->end = sizeof(*ip) + ntohs(ip->length);
	in->protocol = ip->next;
	in->first = true;
	if (in->end > in->length && !in->quoted)
		return false;
	for (int i = 0; i < IP6_MOST_EXTENSIONS && ip6_is_extension(in->protocol) && in->first; i++) {
		const __u8 *extension = in->packet + in->payload;
		const __u8 kind = in->protocol;

		if (kind == IP6_AUTHENTICATION)
			return true;
		if (in->payload + 8 > in->length || in->payload + 8 > in->end)
			return false;
		if (kind == IP6_ROUTING && extension[3])
			return false;
		if (kind == IP6_FRAGMENT) {
			in->place = get16(extension + 2) >> 3;
			in->more = extension[3] & 1;
			in->id = ntohl(word32(extension + 4));
			in->named = true;
			in->fragment = in->place || in->more;
			in->first = !in->place;
		}
		in->payload += kind == IP6_FRAGMENT ? 8 : (extension[1] + 1) * 8;
		in->protocol = extension[0];
	}
	return (in->payload <= in->end && in->payload <= in->length) && !(in->first && ip6_is_extension(in->protocol));
}

/* RFC 7915, 5.1. Checks the addresses, too. */
static struct iphdr *head_ip4(struct siit_head *head, const struct arrived *in, const __u8 *prefix)
{
	const struct ip6_header *ip = (const void *)in->packet;
	const __u8 *both[2] = {ip->source, ip->destination};
	struct iphdr *new = head_add(head, sizeof(*new));

	for (int i = 0; i < 2; i++)
		if (!word32(both[i] + 12) || !(siit_has_fixed_prefix(both[i]) || (prefix && siit_has_prefix(both[i], prefix))))
			return NULL;
	new->version = 4;
	new->ihl = sizeof(*new) / 4;
	new->tos = ntohl(ip->first) >> 20;
	new->tot_len = htons((__u16)(sizeof(*new) + in->end - in->payload));
	new->id = htons((__u16)in->id);
	new->frag_off = htons(in->named ? in->place | (in->more ? IP_MF : 0) : IP_DF);
	new->ttl = ip->hops;
	new->protocol = in->protocol == IP6_ICMP ? PROTOCOL_ICMP : in->protocol;
	new->saddr = word32(ip->source + 12);
	new->daddr = word32(ip->destination + 12);
	new->check = ~checksum_fold(ip_sum20(new));
	head->replaced += in->payload;
	return new;
}

static struct message unreachable64(__u8 code)
{
	static const __s8 codes[] = {1, 10, 1, 1, 3};

	return (struct message){code < sizeof(codes) ? ICMP_UNREACHABLE : NOT_TRANSLATED, code < sizeof(codes) ? codes[code] : 0, 0};
}

/* The byte of an IPv4 header for one of an IPv6 header (RFC 7915, figure 6), or -1. */
static int pointer64(__u32 pointer)
{
	static const __s8 first[8] = {0, 1, -1, -1, 2, 2, 9, 8};

	return pointer < 8 ? first[pointer] : pointer < 24 ? 12 : pointer < 40 ? 16 : -1;
}

/* RFC 7915, 5.2. */
static struct message message64(const __u8 *icmp)
{
	const struct message none = {.type = NOT_TRANSLATED};
	const __u32 rest = ntohl(word32(icmp + 4));
	__u32 mtu = rest > 0xffff ? 0xffff : rest;

	switch (icmp[0]) {
	case ICMP6_UNREACHABLE:
		return unreachable64(icmp[1]);
	case ICMP6_PACKET_TOO_BIG:
		return (struct message){ICMP_UNREACHABLE, ICMP_NEED_FRAGMENTATION, mtu > 88 ? mtu - 20 : 68};
	case ICMP6_TIME_EXCEEDED:
		return (struct message){ICMP_TIME_EXCEEDED, icmp[1], 0};
	case ICMP6_PARAMETER_PROBLEM:
		if (icmp[1] == 1)
			return (struct message){ICMP_UNREACHABLE, 2, 0};
		if (icmp[1] || pointer64(rest) < 0)
			return none;
		return (struct message){ICMP_PARAMETER_PROBLEM, 0, (__u32)pointer64(rest) << 24};
	default:
		return none;
	}
}

static bool add64(const __u8 *prefix, struct arrived *in, struct siit_head *head)
{
	const struct ip6_header *ip = (const void *)in->packet;
	const struct iphdr *new;
	const __u8 *icmp;
	struct message message;
	__u64 pseudo;

	if (!parse6(in))
		return false;
	new = head_ip4(head, in, prefix);
	if (!new)
		return false;
	icmp = in->packet + in->payload;
	pseudo = ip6_pseudo_sum(ip->source, ip->destination, in->end - in->payload, IP6_ICMP);
	if (!in->quoted) {
		head->keep = in->end;
		head->protocol = new->protocol;
		head->whole = !in->fragment;
	}
	head->message = in->quoted ? head->message : head->have;
	if (in->protocol != IP6_ICMP)
		return head_check(head, in, siit_sum_ip6(ip), siit_sum_ip4(new));
	/* Of a message in pieces the checksum can't be updated (RFC 7915, 1.2). */
	if (in->fragment || in->payload + ICMP_HEADER > in->length || in->payload + ICMP_HEADER > in->end)
		return false;
	if (icmp[0] == ICMP6_ECHO || icmp[0] == ICMP6_ECHO_REPLY) {
		head_echo(head, in, icmp[0] == ICMP6_ECHO ? ICMP_ECHO : ICMP_ECHO_REPLY, checksum_fold(pseudo), 0);
		return true;
	}
	message = message64(icmp);
	if (in->quoted || message.type == NOT_TRANSLATED || !icmp_is_right(in, pseudo))
		return false;
	head_message(head, &message);
	head->keep = in->payload + ICMP_HEADER + quoted_length(in, icmp[0] == ICMP6_PACKET_TOO_BIG || icmp[0] == ICMP6_PARAMETER_PROBLEM ? 0 : icmp[4], 8);
	return add64(prefix, &(struct arrived){.packet = icmp + ICMP_HEADER, .length = head->keep - in->payload - ICMP_HEADER, .quoted = true}, head);
}

bool siit_64(const __u8 *prefix, bool fragmentable, const __u8 *packet, __u32 length, struct siit_head *head)
{
	struct iphdr *ip = (void *)head->bytes;

	*head = (struct siit_head){.check_at = -1};
	if (!add64(prefix, &(struct arrived){.packet = packet, .length = length}, head) || head->keep - head->replaced + head->have > 0xffff)
		return false;
	if (fragmentable && head->whole && ntohs(ip->tot_len) <= SIIT_SHORT) {
		const int at = head->protocol == PROTOCOL_ICMP ? 2 : siit_checksum_at(head->protocol);
		const __u32 transport = head->replaced - (head->have - head->message);

		ip->frag_off = 0;
		ip->id = siit_identification(at >= 0 ? word16(packet + transport + at) : 0, ntohs(ip->tot_len));
	}
	return true;
}

void siit_finish_64(__u8 *packet, __u32 length, const struct siit_head *head)
{
	struct iphdr *ip = (void *)packet;
	struct icmp_header *icmp = (void *)(packet + head->message);

	ip->tot_len = htons((__u16)length);
	ip->check = 0;
	ip->check = ~checksum_fold(ip_sum20(ip));
	if (head->check_at >= 0 && head->check_at + 2 <= (int)length && !head->fill)
		word16(packet + head->check_at) = siit_update(word16(packet + head->check_at), head->from, head->to, head->udp);
	if (head->protocol == PROTOCOL_ICMP && head->whole && icmp_is_error(icmp->type)) {
		icmp->checksum = 0;
		icmp->checksum = checksum(icmp, length - head->message);
	}
}

/* -- IPv4 to IPv6 -------------------------------------------------------------------------------------------------- */

/* Whether options have a source route that isn't at its end: such a packet is refused (RFC 7915, 4.1). */
static bool has_route(const __u8 *option, const __u8 *end)
{
	__u32 length;

	for (; option < end && *option != IPOPT_END; option += length) {
		length = ip_option_length(option, end);
		if (!length)
			return true;
		if ((*option == IPOPT_LSRR || *option == IPOPT_SSRR) && (length < 3 || option[2] <= length))
			return true;
	}
	return false;
}

static bool parse4(struct arrived *in)
{
	const struct iphdr *ip = (const void *)in->packet;
	__u16 place;

	if (in->length < sizeof(*ip) || ip->version != 4 || ip->ihl < 5 || ip_header_length(ip) > in->length)
		return false;
	place = ntohs(ip->frag_off);
	in->payload = ip_header_length(ip);
	in->end = ntohs(ip->tot_len);
	in->protocol = ip->protocol;
	in->place = place & IP_OFFSET;
	in->more = place & IP_MF;
	in->fragment = in->place || in->more;
	in->first = !in->place;
	in->id = ntohs(ip->id);
	return in->end >= in->payload && (in->end <= in->length || in->quoted) && ip->saddr && ip->daddr &&
	       !has_route(in->packet + sizeof(*ip), in->packet + in->payload);
}

static void write_address6(__u8 *to, const __u8 *prefix, __be32 address)
{
	memcpy(to, prefix, 12);
	word32(to + 12) = address;
}

/* RFC 7915, 4.1. */
static struct ip6_header *head_ip6(struct siit_head *head, const struct arrived *in, const struct siit_prefixes *prefixes)
{
	const struct iphdr *ip = (const void *)in->packet;
	struct ip6_header *new = head_add(head, sizeof(*new));
	const __u32 more = in->fragment ? sizeof(struct fragment_header) : 0;
	const __u8 next = in->protocol == PROTOCOL_ICMP ? IP6_ICMP : in->protocol;

	new->first = htonl(6u << 28 | (__u32)ip->tos << 20);
	new->length = htons((__u16)(in->end - in->payload + more));
	new->next = in->fragment ? IP6_FRAGMENT : next;
	new->hops = ip->ttl;
	write_address6(new->source, in->quoted ? prefixes->destination : prefixes->source, ip->saddr);
	write_address6(new->destination, in->quoted ? prefixes->source : prefixes->destination, ip->daddr);
	if (in->fragment) {
		struct fragment_header *fragment = head_add(head, more);

		fragment->next = next;
		fragment->place = htons((__u16)(in->place << 3 | in->more));
		fragment->id = htonl(in->id);
	}
	head->replaced += in->payload;
	return new;
}

static struct message unreachable46(const __u8 *icmp)
{
	static const struct {
		__s8 type, code;
	} by_code[] = {
		{1, 0}, {1, 0}, {4, 1}, {1, 4}, {2, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 0}, {1, 0}, {1, 1}, {-1, 0}, {1, 1},
	};
	/* Where routers don't tell the MTU, it is the next of RFC 1191's plateaus below the packet's length. */
	static const __u16 plateaus[] = {65535, 32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296, 68, 0};
	const __u16 mtu = get16(icmp + 6), quoted = get16(icmp + ICMP_HEADER + 2);
	struct message message = {.type = NOT_TRANSLATED};
	const __u16 *plateau = plateaus;

	if (icmp[1] >= sizeof(by_code) / sizeof(*by_code))
		return message;
	message.type = by_code[icmp[1]].type;
	message.code = by_code[icmp[1]].code;
	if (message.type == ICMP6_PARAMETER_PROBLEM)
		message.rest = offsetof(struct ip6_header, next);
	if (message.type == ICMP6_PACKET_TOO_BIG) {
		while (*plateau >= quoted && *plateau)
			plateau++;
		message.rest = (mtu ?: *plateau) + 20;
		if (message.rest < LEAST_MTU)
			message.rest = LEAST_MTU;
	}
	return message;
}

/* The byte of an IPv6 header for one of an IPv4 header (RFC 7915, figure 3), or -1. */
static int pointer46(__u8 pointer)
{
	static const __s8 bytes[20] = {0, 1, 4, 4, -1, -1, -1, -1, 7, 6, -1, -1, 8, 8, 8, 8, 24, 24, 24, 24};

	return pointer < sizeof(bytes) ? bytes[pointer] : -1;
}

/* RFC 7915, 4.2; of an error that has at least an IPv4 header within. */
static struct message message46(const __u8 *icmp)
{
	const struct message none = {.type = NOT_TRANSLATED};

	switch (icmp[0]) {
	case ICMP_UNREACHABLE:
		return unreachable46(icmp);
	case ICMP_TIME_EXCEEDED:
		return (struct message){ICMP6_TIME_EXCEEDED, icmp[1], 0};
	case ICMP_PARAMETER_PROBLEM:
		if ((icmp[1] && icmp[1] != 2) || pointer46(icmp[4]) < 0)
			return none;
		return (struct message){ICMP6_PARAMETER_PROBLEM, 0, pointer46(icmp[4])};
	default:
		return none;
	}
}

static bool add46(const struct siit_prefixes *prefixes, struct arrived *in, struct siit_head *head)
{
	const struct iphdr *ip = (const void *)in->packet;
	const struct ip6_header *new;
	const __u8 *icmp;
	struct message message;
	__u64 pseudo;

	if (!parse4(in))
		return false;
	new = head_ip6(head, in, prefixes);
	icmp = in->packet + in->payload;
	if (!in->quoted) {
		head->keep = in->end;
		head->protocol = in->protocol == PROTOCOL_ICMP ? IP6_ICMP : in->protocol;
		head->whole = !in->fragment;
		head->message = head->have;
	}
	if (in->protocol != PROTOCOL_ICMP)
		return head_check(head, in, siit_sum_ip4(ip), siit_sum_ip6(new));
	if (in->fragment || in->payload + ICMP_HEADER > in->length || in->payload + ICMP_HEADER > in->end)
		return false;
	pseudo = ip6_pseudo_sum(new->source, new->destination, in->end - in->payload, IP6_ICMP);
	if (icmp[0] == ICMP_ECHO || icmp[0] == ICMP_ECHO_REPLY) {
		head_echo(head, in, icmp[0] == ICMP_ECHO ? ICMP6_ECHO : ICMP6_ECHO_REPLY, 0, checksum_fold(pseudo));
		return true;
	}
	if (in->quoted || in->end < in->payload + ICMP_HEADER + sizeof(*ip) || !icmp_is_right(in, 0))
		return false;
	message = message46(icmp);
	if (message.type == NOT_TRANSLATED)
		return false;
	head_message(head, &message);
	head->keep = in->payload + ICMP_HEADER + quoted_length(in, icmp[5], 4);
	return add46(prefixes, &(struct arrived){.packet = icmp + ICMP_HEADER, .length = head->keep - in->payload - ICMP_HEADER, .quoted = true}, head);
}

bool siit_46(const struct siit_prefixes *prefixes, const __u8 *packet, __u32 length, struct siit_head *head)
{
	*head = (struct siit_head){.check_at = -1};
	if (!add46(prefixes, &(struct arrived){.packet = packet, .length = length}, head))
		return false;
	if (head->protocol == IP6_ICMP && head->keep - head->replaced + head->have > LEAST_MTU && icmp6_is_error(head->bytes[head->message]))
		head->keep = LEAST_MTU + head->replaced - head->have;
	return head->keep - head->replaced + head->have <= 0xffff;
}

void siit_finish_46(__u8 *packet, __u32 length, const struct siit_head *head)
{
	struct ip6_header *ip = (void *)packet;
	__u8 *message = packet + head->message;
	const __u64 pseudo = ip6_pseudo_sum(ip->source, ip->destination, length - head->message, head->protocol);

	ip->length = htons((__u16)(length - sizeof(*ip)));
	if (head->fill) {
		word16(message + 6) = 0;
		word16(message + 6) = ~checksum_fold(pseudo + (__u16)~checksum(message, length - head->message)) ?: 0xffff;
	} else if (head->check_at >= 0 && head->check_at + 2 <= (int)length) {
		word16(packet + head->check_at) = siit_update(word16(packet + head->check_at), head->from, head->to, head->udp);
	}
	if (head->protocol == IP6_ICMP && head->whole && icmp6_is_error(message[0])) {
		word16(message + 2) = 0;
		word16(message + 2) = ~checksum_fold(pseudo + (__u16)~checksum(message, length - head->message));
	}
}
