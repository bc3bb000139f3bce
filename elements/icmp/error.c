/* ICMP errors (RFC 1812, 4.3.2): whether one is to be made of a packet, and making it. */
#include "element.h"
#include "icmp/error.h"
#include "icmp/icmp.h"
#include "ip/ip.h"

#include <string.h>

/* An address of a single host, as far as that is known without subnets (RFC 1812, 4.3.2.7). */
static bool is_unicast(const struct icmp_error *e, __be32 address)
{
	return address != 0xffffffff && !ip_is_multicast(address) && !e->is_bad(address);
}

/* RFC 1812, 5.3.7: not this network, loopback or class E. */
static bool is_source(const struct icmp_error *e, __be32 address)
{
	__u8 net = address & 0xff;

	return is_unicast(e, address) && net != 0 && net != 127 && net < 240;
}

static bool may_cause_error(const struct icmp_error *e, struct pkt *p, const struct iphdr *ip)
{
	if (ip->protocol == PROTOCOL_ICMP) {
		const struct icmp_header *icmp = pkt_network_data(p, ip_header_length(ip), 4);

		if (!icmp || icmp_is_error(icmp->type))
			return false;
	}
	if (pkt_is_to_group(p))
		return false;
	return is_unicast(e, ip->daddr) && is_source(e, ip->saddr) && !(ip->frag_off & htons(IP_OFFSET));
}

/* The packet's source route option, or NULL. Its third byte is a pointer between its addresses, or after the last. */
static const __u8 *source_route(struct pkt *p, const struct iphdr *ip)
{
	const __u8 *option = (const __u8 *)(ip + 1), *end = (const __u8 *)ip + ip_header_length(ip);
	__u32 length;

	if (!pkt_network_header(p, ip_header_length(ip)))
		return NULL;
	for (; option < end && *option != IPOPT_END; option += length) {
		length = ip_option_length(option, end);
		if (!length)
			return NULL;
		if ((*option == IPOPT_LSRR || *option == IPOPT_SSRR) && length >= 3 && option[2] >= 4 &&
		    option[2] % 4 == 0 && option[2] <= length + 1)
			return option;
	}
	return NULL;
}

/* Whether the error is about a byte of the option, so that the option had better not be used. */
static bool is_about(const struct icmp_error *e, const __u8 *byte, const __u8 *option)
{
	return e->type == ICMP_PARAMETER_PROBLEM && e->code == ICMP_ERROR_AT_POINTER && byte >= option &&
	       byte < option + option[1];
}

/* Write the addresses of a source route that have been passed, the last one first, as a new one, and an IPOPT_END after
 * (RFC 1812, 4.3.2.6). Returns the bytes written, whole words.
 */
static __u32 reverse_route(__u8 *to, const __u8 *route)
{
	__u32 length = route[2] - 1;

	to[0] = route[0];
	to[1] = length;
	to[2] = 4;
	for (__u32 at = 3; at + 4 <= length; at += 4)
		memcpy(to + at, route + length - at - 1, 4);
	to[length] = IPOPT_END;
	return length + 1;
}

/* Forget all that the packet carries besides its bytes, as if it had just been made. */
static void renew(struct pkt *p)
{
	memset(p->anno, 0, ANNO_SIZE);
	p->mac = NO_HEADER;
	p->device = -1;
	p->type = PACKET_HOST;
	p->timestamp = wall_clock();
}

static void write_ip(const struct icmp_error *e, struct pkt *p, struct iphdr *ip, __u32 header, __be32 destination)
{
	ip->version = 4;
	ip->ihl = header / 4;
	ip->tos = 0;
	ip->tot_len = htons(pkt_len(p));
	ip->id = htons(__atomic_add_fetch(e->number, 1, __ATOMIC_RELAXED));
	ip->frag_off = 0;
	ip->ttl = 200;
	ip->protocol = PROTOCOL_ICMP;
	ip->saddr = e->source;
	ip->daddr = destination;
	ip->check = 0;
	ip->check = checksum(ip, header);
}

/* `gateway` and `pointer` are annotations of the packet that the error is about. */
static void write_icmp(const struct icmp_error *e, struct icmp_header *icmp, __u32 length, __be32 gateway, __u8 pointer)
{
	icmp->type = e->type;
	icmp->code = e->code;
	icmp->checksum = 0;
	icmp->rest = 0;
	if (e->type == ICMP_REDIRECT)
		icmp->gateway = gateway;
	if (e->type == ICMP_PARAMETER_PROBLEM && e->code == ICMP_ERROR_AT_POINTER)
		icmp->pointer = pointer;
	if (e->type == ICMP_UNREACHABLE && e->code == ICMP_NEED_FRAGMENTATION)
		icmp->mtu = htons(e->pmtu);
	icmp->checksum = checksum(icmp, length);
}

/* Make the packet begin with its IP header, be no longer than `most`, and have `room` bytes before. */
static bool wrap(struct pkt *p, __u32 most, __u32 room)
{
	int offset = pkt_network_offset(p);

	if (!(offset < 0 ? pkt_push(p, -offset) : pkt_pull(p, offset)))
		return false;
	if (pkt_len(p) > most)
		pkt_trim(p, most);
	return pkt_push(p, room);
}

/* What the error takes from the packet before it is overwritten. */
struct cause {
	__be32 source, gateway;
	__u8 pointer;
	__u8 route[MAX_IPOPTLEN];	/* options of the error */
	__u32 options;			/* bytes of them */
};

static int make_error(const struct icmp_error *e, struct pkt *p, const struct cause *cause)
{
	__u32 header = sizeof(struct iphdr) + cause->options, front = header + sizeof(struct icmp_header);

	if (!wrap(p, e->mtu > front ? e->mtu - front : 0, front))
		return DROP(NO_MEMORY);
	memcpy(p->data + sizeof(struct iphdr), cause->route, cause->options);
	write_ip(e, p, (struct iphdr *)p->data, header, cause->source);
	write_icmp(e, (struct icmp_header *)(p->data + header), pkt_len(p) - header, cause->gateway, cause->pointer);
	renew(p);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, header);
	pkt_set_dst_ip(p, cause->source);
	pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, e->fix);
	return OUTPUT(0);
}

bool icmp_error_is_due(const struct icmp_error *e, struct pkt *p, const struct iphdr *ip)
{
	return may_cause_error(e, p, ip) && !(e->type == ICMP_REDIRECT && source_route(p, ip));
}

int icmp_error_make(const struct icmp_error *e, struct pkt *p, const struct iphdr *ip)
{
	const __u8 *route = source_route(p, ip);
	struct cause cause = {.source = ip->saddr, .gateway = pkt_dst_ip(p), .pointer = pkt_anno_u8(p, ICMP_PARAMPROB_ANNO)};

	if (route && !is_about(e, (const __u8 *)ip + cause.pointer, route))
		cause.options = reverse_route(cause.route, route);
	return make_error(e, p, &cause);
}
