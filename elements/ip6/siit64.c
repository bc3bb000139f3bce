/* IPv6 packets become IPv4 packets: extension headers and fragments, ICMPv6 errors. */
#include "element.h"
#include "ip6/siit64.h"

#include <linux/ip.h>

/* The longest ICMP error, so that it arrives in one piece (RFC 1812, 4.3.2.3). */
#define MOST_ERROR 576

/* Skips the extension headers, which are left out (RFC 7915, 5.1). False if the packet can't be translated. */
static bool parse6(struct siit_arrived *in)
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
			break;
		if (in->payload + 8 > in->length || in->payload + 8 > in->end)
			return false;
		if (kind == IP6_ROUTING && extension[3])
			return false;
		if (kind == IP6_FRAGMENT) {
			in->place = siit_get16(extension + 2) >> 3;
			in->more = extension[3] & 1;
			in->id = ntohl(word32(extension + 4));
			in->named = true;
			in->fragment = in->place || in->more;
			in->first = !in->place;
			if (ip6_is_extension(extension[0]))	/* its length would be wrong without these (5.1.1) */
				return false;
		}
		in->payload += kind == IP6_FRAGMENT ? 8 : (extension[1] + 1) * 8;
		in->protocol = extension[0];
	}
	if (in->payload > in->end || in->payload > in->length)
		return false;
	return in->protocol == IP6_AUTHENTICATION || !in->first || !ip6_is_extension(in->protocol);
}

/* RFC 7915, 5.1. Also checks the addresses. */
static struct iphdr *head_ip4(struct siit_head *head, const struct siit_arrived *in, siit_address *address)
{
	const struct ip6_header *ip = (const void *)in->packet;
	struct iphdr *new = siit_add(head, sizeof(*new));
	const bool is_short = in->fragmentable && sizeof(*new) + in->end - in->payload <= SIIT_SHORT;

	new->saddr = address(ip->source);
	new->daddr = address(ip->destination);
	if (!new->saddr || !new->daddr)
		return NULL;
	new->version = 4;
	new->ihl = sizeof(*new) / 4;
	new->tos = ntohl(ip->first) >> 20;
	new->tot_len = htons((__u16)(sizeof(*new) + in->end - in->payload));
	new->id = htons((__u16)in->id);
	new->frag_off = htons(in->named ? in->place | (in->more ? IP_MF : 0) : is_short ? 0 : IP_DF);
	new->ttl = ip->hops;
	new->protocol = in->protocol == IP6_ICMP ? PROTOCOL_ICMP : in->protocol;
	new->check = ~checksum_fold(ip_sum20(new));
	head->replaced += in->payload;
	return new;
}

static struct siit_message unreachable64(__u8 code)
{
	static const __s8 codes[] = {1, 10, 1, 1, 3};

	return (struct siit_message){code < sizeof(codes) ? ICMP_UNREACHABLE : SIIT_NONE, code < sizeof(codes) ? codes[code] : 0, 0};
}

/* The byte of an IPv4 header that corresponds to one of an IPv6 header (RFC 7915, figure 6), or -1. */
static int pointer64(__u32 pointer)
{
	static const __s8 first[8] = {0, 1, -1, -1, 2, 2, 9, 8};

	return pointer < 8 ? first[pointer] : pointer < 24 ? 12 : pointer < 40 ? 16 : -1;
}

/* RFC 7915, 5.2. */
static struct siit_message message64(const __u8 *icmp)
{
	const struct siit_message none = {.type = SIIT_NONE};
	const __u32 rest = ntohl(word32(icmp + 4));
	__u32 mtu = rest > 0xffff ? 0xffff : rest;

	switch (icmp[0]) {
	case ICMP6_UNREACHABLE:
		return unreachable64(icmp[1]);
	case ICMP6_PACKET_TOO_BIG:
		return (struct siit_message){ICMP_UNREACHABLE, ICMP_NEED_FRAGMENTATION, mtu > 88 ? mtu - 20 : 68};
	case ICMP6_TIME_EXCEEDED:
		return (struct siit_message){ICMP_TIME_EXCEEDED, icmp[1], 0};
	case ICMP6_PARAMETER_PROBLEM:
		if (icmp[1] == 1)
			return (struct siit_message){ICMP_UNREACHABLE, 2, 0};
		if (icmp[1] || pointer64(rest) < 0)
			return none;
		return (struct siit_message){ICMP_PARAMETER_PROBLEM, 0, (__u32)pointer64(rest) << 24};
	default:
		return none;
	}
}

static bool add64(siit_address *address, struct siit_arrived *in, struct siit_head *head)
{
	const struct ip6_header *ip = (const void *)in->packet;
	const struct iphdr *new;
	const __u8 *icmp;
	struct siit_message message;
	__u64 pseudo;
	__u32 words;

	if (!parse6(in))
		return false;
	new = head_ip4(head, in, address);
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
		return siit_note_check(head, in, siit_sum_ip6(ip), siit_sum_ip4(new));
	/* The checksum of a message in fragments can't be updated (RFC 7915, 1.2). */
	if (in->fragment || in->payload + SIIT_ICMP_HEADER > in->length || in->payload + SIIT_ICMP_HEADER > in->end)
		return false;
	if (icmp[0] == ICMP6_ECHO || icmp[0] == ICMP6_ECHO_REPLY) {
		siit_add_echo(head, in, icmp[0] == ICMP6_ECHO ? ICMP_ECHO : ICMP_ECHO_REPLY, checksum_fold(pseudo), 0);
		return true;
	}
	message = message64(icmp);
	if (in->quoted || message.type == SIIT_NONE || !siit_icmp_is_right(in, pseudo))
		return false;
	siit_add_message(head, &message);
	words = icmp[0] == ICMP6_PACKET_TOO_BIG || icmp[0] == ICMP6_PARAMETER_PROBLEM ? 0 : icmp[4];
	return add64(address, &(struct siit_arrived){.packet = icmp + SIIT_ICMP_HEADER, .length = siit_note_quoted(head, in, words, 8),
						    .quoted = true, .fragmentable = in->fragmentable}, head);
}

bool siit_64(siit_address *address, bool fragmentable, const __u8 *packet, __u32 length, struct siit_head *head)
{
	struct siit_arrived in = {.packet = packet, .length = length, .fragmentable = fragmentable};
	struct iphdr *ip = (void *)head->bytes;

	*head = (struct siit_head){.check_at = -1};
	if (!add64(address, &in, head))
		return false;
	if (head->protocol == PROTOCOL_ICMP && head->whole && icmp_is_error(head->bytes[head->message]))
		siit_fit(head, MOST_ERROR, 4, 5);
	if (siit_length(head) > 0xffff)
		return false;
	/* A fragment header, even of a whole packet, has given the identification (RFC 7915, 5.1.1). */
	if (fragmentable && !in.named && siit_length(head) <= SIIT_SHORT) {
		ip->frag_off = 0;
		const int at = head->protocol == PROTOCOL_ICMP ? 2 : siit_checksum_at(head->protocol);
		const __u32 transport = head->replaced - (head->have - head->message);

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
