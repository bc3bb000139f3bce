#include "ip6/nd.h"

/* Who does without an address asks for it, too, to see whether it is taken: from no address, to the solicited-node group, without
 * an option (RFC 4861, 7.1.1).
 */
static bool SELF(is_probe)(const struct nd_frame *frame)
{
	return ip6_is_zero(frame->ip.source);
}

static bool SELF(is_good)(const struct nd_frame *frame)
{
	static const __u8 solicited_node[13] = { 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff };

	return !SELF(is_probe)(frame) ||
	       (!memcmp(frame->ip.destination, solicited_node, sizeof(solicited_node)) && !nd_link(frame, ND_SOURCE_LINK));
}

/* The packet becomes the answer and forgets what it was. */
static void SELF(renew)(struct pkt *p)
{
	memset(p->anno, 0, ANNO_SIZE);
	p->type = PACKET_HOST;
	p->timestamp = 0;
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, ETH_HLEN);
	pkt_set_transport_header(p, ND_FRONT);
}

static void SELF(answer)(struct nd_frame *frame, const __u8 *ether, bool override)
{
	static const __u8 all_nodes[16] = { 0xff, 2, [15] = 1 };
	__u8 to[16], target[16];

	ip6_copy(to, SELF(is_probe)(frame) ? all_nodes : frame->ip.source);
	ip6_copy(target, frame->target);
	if (ip6_is_multicast(to))
		nd_group_ether(frame->to, to);
	else
		ether_copy(frame->to, frame->from);
	nd_write(frame, ICMP6_ADVERTISEMENT, target, to, target, ether,
		 ND_ROUTER | (override ? ND_OVERRIDE : 0) | (ip6_is_multicast(to) ? 0 : ND_SOLICITED));
}

ELEMENT(IP6NDAdvertiser)
{
	struct nd_frame *frame = nd_message(p, ICMP6_SOLICITATION);
	bool override = false;
	const __u8 *ether;

	if (!frame || !SELF(is_good)(frame))
		return DROP(MALFORMED);
	ether = SELF(lookup)(frame->target, &override);
	if (!ether)
		return DROP(FILTERED);
	if (!pkt_trim(p, sizeof(*frame)) && !pkt_put(p, sizeof(*frame) - pkt_len(p)))
		return DROP(NO_MEMORY);
	SELF(answer)((struct nd_frame *)p->data, ether, override);
	SELF(renew)(p);
	return OUTPUT(0);
}
