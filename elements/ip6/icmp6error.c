#include <string.h>
#include "ip6/address.h"
#include "ip6/checksum.h"
#include "ip6/icmp6.h"
#include "common/bucket.h"

/* A redirect goes on with two addresses and an option that has the packet within (RFC 4861, 4.5 and 4.6.3). */
#define REDIRECT_MORE (16 + 16 + 8)
#define REDIRECTED_HEADER 4

/* Errors about packets to groups are sent for the sake of path MTU discovery, and about options that nobody knows (RFC 4443,
 * 2.4 e.3).
 */
static bool SELF(may_be_about_groups)(void)
{
	return cfg.type == ICMP6_PACKET_TOO_BIG || (cfg.type == ICMP6_PARAMETER_PROBLEM && cfg.code == 2);
}

/* RFC 4443, 2.4 e: no errors about errors and redirects, and none to anybody but a single node. */
static bool SELF(may_cause_error)(struct pkt *p, const struct ip6_header *ip)
{
	const struct ip6_inner inner = ip6_walk(p, ip);
	const bool to_group = ip6_is_multicast(ip->destination) || pkt_is_to_group(p);

	if (inner.protocol == IP6_ICMP) {
		const struct icmp6_header *icmp = ip6_inner_header(p, &inner, IP6_ICMP, sizeof(*icmp));

		if (!icmp || icmp6_is_error(icmp->type) || icmp->type == ICMP6_REDIRECT)
			return false;
	}
	if (to_group && !SELF(may_be_about_groups)())
		return false;
	return !ip6_is_zero(ip->source) && !ip6_is_multicast(ip->source) && !ip6_is_loopback(ip->source);
}

/* RFC 4443, 2.4 f: no more messages than the rate permits. */
static bool SELF(is_in_rate)(void)
{
	struct SELF(bucket) *bucket = private(bucket);

	if (!bucket->per_tick || bucket_take(BUCKET(bucket), 1, 1))
		return true;
	count(counters, limited, 1);
	return false;
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

/* Make the packet begin with its IPv6 header, be as much of it as fits, and have `room` bytes before. */
static bool SELF(wrap)(struct pkt *p, __u32 room)
{
	const int offset = pkt_network_offset(p);
	__u32 most = cfg.mtu - room;

	if (!(offset < 0 ? pkt_push(p, -offset) : pkt_pull(p, offset)))
		return false;
	if (cfg.type == ICMP6_REDIRECT && pkt_len(p) < most)
		most = pkt_len(p) & ~7u;	/* options are whole units of 8 bytes */
	if (pkt_len(p) > most)
		pkt_trim(p, most);
	return pkt_push(p, room);
}

/* What the error takes from the packet before it is overwritten. */
struct SELF(cause) {
	__u8 source[16], destination[16], gateway[16];
	__u8 pointer;
};

static void SELF(write_redirect)(__u8 *more, const struct SELF(cause) *cause, __u32 quoted)
{
	ip6_copy(more, cause->gateway);
	ip6_copy(more + 16, cause->destination);
	memset(more + 32, 0, 8);
	more[32] = REDIRECTED_HEADER;
	more[33] = 1 + quoted / 8;
}

static void SELF(write)(struct pkt *p, struct ip6_header *ip, const struct SELF(cause) *cause)
{
	struct icmp6_header *icmp = (struct icmp6_header *)(ip + 1);
	const __u32 length = pkt_len(p) - sizeof(*ip);

	ip->first = htonl(6u << 28);
	ip->length = htons((__u16)length);
	ip->next = IP6_ICMP;
	ip->hops = 255;
	ip6_copy(ip->source, ip6_var(var(vars), src));
	ip6_copy(ip->destination, cause->source);
	icmp->type = cfg.type;
	icmp->code = cfg.code;
	icmp->checksum = 0;
	icmp->rest = cfg.type == ICMP6_PACKET_TOO_BIG ? htonl(var(vars)->pmtu) :
		     cfg.type == ICMP6_PARAMETER_PROBLEM ? htonl((__u32)cause->pointer) : 0;
	if (cfg.type == ICMP6_REDIRECT)
		SELF(write_redirect)((__u8 *)(icmp + 1), cause, length - sizeof(*icmp) - REDIRECT_MORE);
	icmp->checksum = ~checksum_fold(ip6_pseudo_sum(ip->source, ip->destination, length, IP6_ICMP) +
					(__u16)~checksum(icmp, length));
}

/* The packet becomes the error, around what was in it, so that the element works where packets are pulled, too. */
ELEMENT(ICMP6Error)
{
	const struct ip6_header *ip = pkt_network_header(p, sizeof(*ip));
	__u32 room = sizeof(*ip) + sizeof(struct icmp6_header) + (cfg.type == ICMP6_REDIRECT ? REDIRECT_MORE : 0);
	struct SELF(cause) cause;

	if (!ip)
		return DROP(MALFORMED);
	if (!SELF(may_cause_error)(p, ip) || !SELF(is_in_rate)())
		return DROP(FILTERED);
	ip6_copy(cause.source, ip->source);
	ip6_copy(cause.destination, ip->destination);
	ip6_copy(cause.gateway, p->anno + DST_IP6_ANNO);
	cause.pointer = pkt_anno_u8(p, ICMP_PARAMPROB_ANNO);
	if (!SELF(wrap)(p, room))
		return DROP(NO_MEMORY);
	SELF(write)(p, (struct ip6_header *)p->data, &cause);
	SELF(renew)(p);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip6(p, cause.source);
	return OUTPUT(0);
}

#undef REDIRECT_MORE
#undef REDIRECTED_HEADER
