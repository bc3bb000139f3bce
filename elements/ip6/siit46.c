/* IPv4 packets become IPv6 packets: options and fragments, ICMP errors. */
#include "element.h"
#include "ip6/siit46.h"

#include <linux/ip.h>
#include <string.h>

/* An IPv6 packet that carries an error is no longer than the minimum MTU (RFC 4443, 2.4 c). */
#define LEAST_MTU 1280

struct fragment_header {
	__u8 next, reserved;
	__be16 place;		/* offset in units of 8 bytes, two reserved bits, "more fragments" */
	__be32 id;
};

/* Whether the options have an unfinished source route; such a packet is refused (RFC 7915, 4.1). */
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

static bool parse4(struct siit_arrived *in)
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
	return in->end >= in->payload && (in->end <= in->length || in->quoted) && ip->daddr &&
	       !has_route(in->packet + sizeof(*ip), in->packet + in->payload);
}

/* Whether the packet's source is to be translated. */
static bool has_source(const struct siit_arrived *in)
{
	const struct iphdr *ip = (const void *)in->packet;

	if (!siit_is_no_source(ip->saddr))
		return true;
	return !in->quoted && in->protocol == PROTOCOL_ICMP && in->first && in->payload < in->length && icmp_is_error(in->packet[in->payload]);
}

/* See siit_addresses: true except for errors reported by routers. */
static bool may_hairpin(const struct siit_arrived *in)
{
	const struct iphdr *ip = (const void *)in->packet;
	const __u8 *icmp = in->packet + in->payload;
	const struct iphdr *quoted = (const void *)(icmp + SIIT_ICMP_HEADER);

	if (in->protocol != PROTOCOL_ICMP || in->fragment || in->payload + SIIT_ICMP_HEADER + sizeof(*quoted) > in->length)
		return true;
	return !icmp_is_error(icmp[0]) || quoted->daddr == ip->saddr;
}

/* RFC 7915, 4.1. */
static struct ip6_header *head_ip6(struct siit_head *head, const struct siit_arrived *in, siit_addresses *addresses)
{
	const struct iphdr *ip = (const void *)in->packet;
	struct ip6_header *new = siit_add(head, sizeof(*new));
	const __u32 more = in->fragment ? sizeof(struct fragment_header) : 0;
	const __u8 next = in->protocol == PROTOCOL_ICMP ? IP6_ICMP : in->protocol;

	new->first = htonl(6u << 28 | (__u32)ip->tos << 20);
	new->length = htons((__u16)(in->end - in->payload + more));
	new->next = in->fragment ? IP6_FRAGMENT : next;
	new->hops = ip->ttl;
	addresses(new, ip, in->quoted, may_hairpin(in));
	if (in->fragment) {
		struct fragment_header *fragment = siit_add(head, more);

		fragment->next = next;
		fragment->place = htons((__u16)(in->place << 3 | in->more));
		fragment->id = htonl(in->id);
	}
	head->replaced += in->payload;
	return new;
}

static struct siit_message unreachable46(const __u8 *icmp)
{
	static const struct {
		__s8 type, code;
	} by_code[] = {
		{1, 0}, {1, 0}, {4, 1}, {1, 4}, {2, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 0}, {1, 0}, {1, 1}, {-1, 0}, {1, 1},
	};
	/* If the router has not reported the MTU, it is the next of RFC 1191's plateaus below the packet's length. */
	static const __u16 plateaus[] = {65535, 32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296, 68, 0};
	const __u16 mtu = siit_get16(icmp + 6), quoted = siit_get16(icmp + SIIT_ICMP_HEADER + 2);
	struct siit_message message = {.type = SIIT_NONE};
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

/* The byte of an IPv6 header that corresponds to one of an IPv4 header (RFC 7915, figure 3), or -1. */
static int pointer46(__u8 pointer)
{
	static const __s8 bytes[20] = {0, 1, 4, 4, -1, -1, -1, -1, 7, 6, -1, -1, 8, 8, 8, 8, 24, 24, 24, 24};

	return pointer < sizeof(bytes) ? bytes[pointer] : -1;
}

/* RFC 7915, 4.2; for an error that contains at least an IPv4 header. */
static struct siit_message message46(const __u8 *icmp)
{
	const struct siit_message none = {.type = SIIT_NONE};

	switch (icmp[0]) {
	case ICMP_UNREACHABLE:
		return unreachable46(icmp);
	case ICMP_TIME_EXCEEDED:
		return (struct siit_message){ICMP6_TIME_EXCEEDED, icmp[1], 0};
	case ICMP_PARAMETER_PROBLEM:
		if ((icmp[1] && icmp[1] != 2) || pointer46(icmp[4]) < 0)
			return none;
		return (struct siit_message){ICMP6_PARAMETER_PROBLEM, 0, pointer46(icmp[4])};
	default:
		return none;
	}
}

static bool add46(siit_addresses *addresses, struct siit_arrived *in, struct siit_head *head)
{
	const struct iphdr *ip = (const void *)in->packet;
	const struct ip6_header *new;
	const __u8 *icmp;
	struct siit_message message;
	__u64 pseudo;

	if (!parse4(in) || !has_source(in))
		return false;
	new = head_ip6(head, in, addresses);
	icmp = in->packet + in->payload;
	if (!in->quoted) {
		head->keep = in->end;
		head->protocol = in->protocol == PROTOCOL_ICMP ? IP6_ICMP : in->protocol;
		head->whole = !in->fragment;
		head->message = head->have;
	}
	if (in->protocol != PROTOCOL_ICMP)
		return siit_note_check(head, in, siit_sum_ip4(ip), siit_sum_ip6(new));
	if (in->fragment || in->payload + SIIT_ICMP_HEADER > in->length || in->payload + SIIT_ICMP_HEADER > in->end)
		return false;
	pseudo = ip6_pseudo_sum(new->source, new->destination, in->end - in->payload, IP6_ICMP);
	if (icmp[0] == ICMP_ECHO || icmp[0] == ICMP_ECHO_REPLY) {
		siit_add_echo(head, in, icmp[0] == ICMP_ECHO ? ICMP6_ECHO : ICMP6_ECHO_REPLY, 0, checksum_fold(pseudo));
		return true;
	}
	if (in->quoted || in->end < in->payload + SIIT_ICMP_HEADER + sizeof(*ip) || !siit_icmp_is_right(in, 0))
		return false;
	message = message46(icmp);
	if (message.type == SIIT_NONE)
		return false;
	siit_add_message(head, &message);
	return add46(addresses, &(struct siit_arrived){.packet = icmp + SIIT_ICMP_HEADER, .length = siit_note_quoted(head, in, icmp[5], 4), .quoted = true}, head);
}

bool siit_46(siit_addresses *addresses, const __u8 *packet, __u32 length, struct siit_head *head)
{
	__u8 type;

	*head = (struct siit_head){.check_at = -1};
	if (!add46(addresses, &(struct siit_arrived){.packet = packet, .length = length}, head))
		return false;
	type = head->bytes[head->message];
	if (head->protocol == IP6_ICMP && icmp6_is_error(type))
		siit_fit(head, LEAST_MTU, 8, type == ICMP6_UNREACHABLE || type == ICMP6_TIME_EXCEEDED ? 4 : 0);
	return siit_length(head) <= 0xffff;
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
