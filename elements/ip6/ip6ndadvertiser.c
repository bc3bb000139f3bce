#include "ip6/nd.h"

/* Duplicate address detection: a host without an address yet asks from ::, to the solicited-node group, without an option (RFC
 * 4861, 7.1.1).
 */
static __always_inline bool SELF(is_probe)(const struct nd_frame *frame)
{
	return ip6_is_zero(frame->ip.source);
}

/* The packet becomes the answer, and loses its annotations. */
static __always_inline void SELF(renew)(struct pkt *p)
{
	__builtin_memset(p->anno, 0, ANNO_SIZE);
	pkt_set_type(p, PACKET_HOST);
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	pkt_set_transport_header(p, ND_FRONT);
#if USERSPACE
	p->timestamp = 0;
#endif
}

static __always_inline void SELF(answer)(struct nd_frame *frame, const __u8 *ether, bool override)
{
	static const __u8 all_nodes[16] = { 0xff, 2, [15] = 1 };
	__u8 to[16] __attribute__((aligned(4))), target[16] __attribute__((aligned(4)));

	if (SELF(is_probe)(frame))
		ip6_copy(to, all_nodes);
	else
		ip6_copy(to, frame->ip.source);
	ip6_copy(target, frame->target);
	if (ip6_is_multicast(to))
		nd_group_ether(frame->to, to);
	else
		ether_copy(frame->to, frame->from);
	nd_write(frame, ICMP6_ADVERTISEMENT, target, to, target, ether,
		 ND_ROUTER | (override ? ND_OVERRIDE : 0) | (ip6_is_multicast(to) ? 0 : ND_SOLICITED));
}

#if USERSPACE

static bool SELF(is_good)(const struct nd_frame *frame)
{
	static const __u8 solicited_node[13] = { 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff };

	/* A multicast address is never a source, of IP (RFC 4291, 2.7) or of the link: the reply would go to everybody. */
	if (ip6_is_multicast(frame->ip.source) || frame->from[0] & 1)
		return false;
	return !SELF(is_probe)(frame) ||
	       (!memcmp(frame->ip.destination, solicited_node, sizeof(solicited_node)) && !nd_link(frame, ND_SOURCE_LINK));
}

ELEMENT(IP6NDAdvertiser)
{
	struct nd_frame *frame = nd_message(p, ICMP6_SOLICITATION);
	bool override = false;
	__u8 ether[6];

	if (!frame || !SELF(is_good)(frame))
		return DROP(MALFORMED);
	if (!SELF(lookup)(frame->target, ether, &override))
		return DROP(FILTERED);
	if (!pkt_trim(p, sizeof(*frame)) && !pkt_put(p, sizeof(*frame) - pkt_len(p)))
		return DROP(NO_MEMORY);
	SELF(answer)((struct nd_frame *)p->data, ether, override);
	SELF(renew)(p);
	return OUTPUT(0);
}

#else

/* A good solicitation from a host's address with its Ethernet address as the only option, or NULL. */
static __always_inline struct nd_frame *SELF(plain)(struct pkt *p)
{
	struct nd_frame *frame = pkt_data(p, 0, sizeof(*frame));

	if (!frame || frame->ethertype != htons(ETH_P_IPV6) || ip6_version(&frame->ip) != 6 || frame->ip.next != IP6_ICMP ||
	    frame->ip.length != htons(sizeof(*frame) - ND_FRONT) || frame->ip.hops != ND_HOPS)
		return NULL;
	if (frame->type != ICMP6_SOLICITATION || frame->code || frame->option != ND_SOURCE_LINK || frame->units != 1)
		return NULL;
	if (SELF(is_probe)(frame) || frame->from[0] & 1 || ip6_is_multicast(frame->ip.source) || ip6_is_multicast(frame->target))
		return NULL;
	return nd_checksum(&frame->ip, &frame->type, sizeof(*frame) - ND_FRONT) ? NULL : frame;
}

ELEMENT(IP6NDAdvertiser)
{
	struct nd_frame *frame;
	bool override = false;
	__u8 ether[6];

	if (pkt_is_offloaded(p) || !(frame = SELF(plain)(p)))
		return PUNT;
	if (!SELF(lookup)(frame->target, ether, &override))
		return DROP(FILTERED);
	SELF(answer)(frame, ether, override);
	pkt_trim(p, sizeof(*frame));
	SELF(renew)(p);
	return OUTPUT(0);
}

#endif
