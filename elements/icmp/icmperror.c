#include "icmp/icmp.h"
#include "common/bucket.h"

/* Numbers of messages count up over all elements, as their packets may meet. */
#ifndef ICMP_ERROR_NUMBER
#define ICMP_ERROR_NUMBER
static __u32 icmp_error_number;
#endif

/* An address of a single host, as far as can be told without knowing subnets (RFC 1812, 4.3.2.7). */
static bool SELF(is_unicast)(__be32 address)
{
	return address != 0xffffffff && !ip_is_multicast(address) && !SELF(bad_address)(address);
}

/* RFC 1812, 5.3.7: not this network, loopback or class E. */
static bool SELF(is_source)(__be32 address)
{
	__u8 net = address & 0xff;

	return SELF(is_unicast)(address) && net != 0 && net != 127 && net < 240;
}

static bool SELF(may_cause_error)(struct pkt *p, const struct iphdr *ip)
{
	if (ip->protocol == PROTOCOL_ICMP) {
		const struct icmp_header *icmp = pkt_network_data(p, ip_header_length(ip), 4);

		if (!icmp || icmp_is_error(icmp->type))
			return false;
	}
	if (pkt_type(p) == PACKET_BROADCAST || pkt_type(p) == PACKET_MULTICAST)
		return false;
	return SELF(is_unicast)(ip->daddr) && SELF(is_source)(ip->saddr) && !(ip->frag_off & htons(IP_OFFSET));
}

/* RFC 1812, 4.3.2.8: no more messages than the rate permits. */
static bool SELF(is_in_rate)(void)
{
	struct SELF(bucket) *bucket = private(bucket);

	return !bucket->per_tick || bucket_take(BUCKET(bucket), 1, 1);
}

/* The packet's source route option, or NULL. Its third byte is a pointer between its addresses, or behind the last. */
static const __u8 *SELF(source_route)(struct pkt *p, const struct iphdr *ip)
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
static bool SELF(is_about)(const __u8 *byte, const __u8 *option)
{
	return cfg.type == ICMP_PARAMETER_PROBLEM && cfg.code == ICMP_ERROR_AT_POINTER && byte >= option &&
	       byte < option + option[1];
}

/* Write the addresses of a source route that have been passed, the last one first, as a new one, and an IPOPT_END behind
 * (RFC 1812, 4.3.2.6). Returns the bytes written, whole words.
 */
static __u32 SELF(reverse_route)(__u8 *to, const __u8 *route)
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
static void SELF(renew)(struct pkt *p)
{
	memset(p->anno, 0, ANNO_SIZE);
	p->mac = NO_HEADER;
	p->device = -1;
	p->type = PACKET_HOST;
	p->timestamp = wall_clock();
}

static void SELF(write_ip)(struct pkt *p, struct iphdr *ip, __u32 header, __be32 source, __be32 destination)
{
	ip->version = 4;
	ip->ihl = header / 4;
	ip->tos = 0;
	ip->tot_len = htons(pkt_len(p));
	ip->id = htons(__atomic_add_fetch(&icmp_error_number, 1, __ATOMIC_RELAXED));
	ip->frag_off = 0;
	ip->ttl = 200;
	ip->protocol = PROTOCOL_ICMP;
	ip->saddr = source;
	ip->daddr = destination;
	ip->check = 0;
	ip->check = checksum(ip, header);
}

/* `gateway` and `pointer` are annotations of the packet that the error is about. */
static void SELF(write_icmp)(struct icmp_header *icmp, __u32 length, __be32 gateway, __u8 pointer)
{
	icmp->type = cfg.type;
	icmp->code = cfg.code;
	icmp->checksum = 0;
	icmp->rest = 0;
	if (cfg.type == ICMP_REDIRECT)
		icmp->gateway = gateway;
	if (cfg.type == ICMP_PARAMETER_PROBLEM && cfg.code == ICMP_ERROR_AT_POINTER)
		icmp->pointer = pointer;
	if (cfg.type == ICMP_UNREACHABLE && cfg.code == ICMP_NEED_FRAGMENTATION)
		icmp->mtu = htons(var(vars)->pmtu);
	icmp->checksum = checksum(icmp, length);
}

/* Make the packet begin with its IP header, be no longer than `most`, and have `room` bytes before. */
static bool SELF(wrap)(struct pkt *p, __u32 most, __u32 room)
{
	int offset = pkt_network_offset(p);

	if (!(offset < 0 ? pkt_push(p, -offset) : pkt_pull(p, offset)))
		return false;
	if (pkt_len(p) > most)
		pkt_trim(p, most);
	return pkt_push(p, room);
}

/* What the error takes from the packet before it is overwritten. */
struct SELF(cause) {
	__be32 source, gateway;
	__u8 pointer;
	__u8 route[MAX_IPOPTLEN];	/* options of the error */
	__u32 options;			/* bytes of them */
};

static int SELF(make_error)(struct pkt *p, const struct SELF(cause) *cause)
{
	const struct SELF(vars) *vars = var(vars);
	__u32 header = sizeof(struct iphdr) + cause->options, front = header + sizeof(struct icmp_header);

	if (!SELF(wrap)(p, vars->mtu > front ? vars->mtu - front : 0, front))
		return DROP(NO_MEMORY);
	memcpy(p->data + sizeof(struct iphdr), cause->route, cause->options);
	SELF(write_ip)(p, (struct iphdr *)p->data, header, vars->src, cause->source);
	SELF(write_icmp)((struct icmp_header *)(p->data + header), pkt_len(p) - header, cause->gateway, cause->pointer);
	SELF(renew)(p);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, header);
	pkt_set_dst_ip(p, cause->source);
	pkt_set_anno_u8(p, FIX_IP_SRC_ANNO, cfg.fix);
	return OUTPUT(0);
}

/* The packet becomes the error, around what was in it, so that the element works where packets are pulled, too. */
ELEMENT(ICMPError)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct SELF(cause) cause;
	const __u8 *route;

	if (!ip)
		return DROP(MALFORMED);
	route = SELF(source_route)(p, ip);
	if (!SELF(may_cause_error)(p, ip) || (route && cfg.type == ICMP_REDIRECT))
		return DROP(FILTERED);
	if (!SELF(is_in_rate)())
		return DROP(LIMITED);
	cause.source = ip->saddr;
	cause.gateway = pkt_dst_ip(p);
	cause.pointer = pkt_anno_u8(p, ICMP_PARAMPROB_ANNO);
	cause.options = 0;
	if (route && !SELF(is_about)((const __u8 *)ip + cause.pointer, route))
		cause.options = SELF(reverse_route)(cause.route, route);
	return SELF(make_error)(p, &cause);
}
