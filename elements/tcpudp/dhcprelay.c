/* DHCPRelay: what hosts without an address ask, and what servers answer (RFC 1542, 4; RFC 2131, 4.1; RFC 3046, 2). */
#include <string.h>

#include "tcpudp/checksum.h"

#define DHCP_SERVER_PORT 67
#define DHCP_HOST_PORT 68
#define DHCP_REQUEST 1
#define DHCP_ANSWER 2
#define DHCP_BROADCAST 0x8000
#define DHCP_COOKIE 0x63825363
#define DHCP_PAD 0
#define DHCP_AGENT 82
#define DHCP_END 255
#define DHCP_HEADERS (sizeof(struct iphdr) + sizeof(struct udp_header))
#define DHCP_MOST (1500 - DHCP_HEADERS)		/* longer messages aren't made */
#define DHCP_TTL 64

/* RFC 2131, 2. */
struct SELF(message) {
	__u8 op, hardware, hardware_length, hops;
	__be32 number;
	__be16 seconds, flags;
	__be32 old, yours, server, relay;
	__u8 address[16], names[64 + 128];
	__be32 cookie;
};

/* Makes the packet the message in it; NULL if it isn't whole. */
static struct SELF(message) *SELF(unwrap)(struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct udp_header *udp = ip ? pkt_transport_header(p, sizeof(*udp)) : NULL;
	__u32 length;

	if (!udp || ip->protocol != PROTOCOL_UDP || ip_is_fragment(ip))
		return NULL;
	length = ntohs(udp->length);
	if (length < sizeof(*udp) + sizeof(struct SELF(message)) || !pkt_begin(p, pkt_transport_offset(p)) || !pkt_trim(p, length) ||
	    !pkt_pull(p, sizeof(*udp)))
		return NULL;
	return pkt_data(p, 0, sizeof(struct SELF(message)));
}

/* Puts a message into headers of its own: all else about the packet is forgotten, that it came as a broadcast, for instance. */
static bool SELF(wrap)(struct pkt *p, __be32 to, __u16 port)
{
	const __u32 length = pkt_len(p) + sizeof(struct udp_header);
	struct iphdr *ip;
	struct udp_header *udp;
	__u64 sum;

	if (!pkt_push(p, DHCP_HEADERS))
		return false;
	pkt_renew(p);
	ip = pkt_data(p, 0, DHCP_HEADERS);
	udp = (struct udp_header *)(ip + 1);
	*ip = (struct iphdr){.version = 4, .ihl = 5, .tot_len = htons((__u16)(length + sizeof(*ip))), .frag_off = htons(IP_DF),
			     .ttl = DHCP_TTL, .protocol = PROTOCOL_UDP, .saddr = cfg.ip, .daddr = to};
	ip->check = ~checksum_fold(ip_sum20(ip));
	*udp = (struct udp_header){htons(DHCP_SERVER_PORT), htons(port), htons((__u16)length), 0};
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip(p, to);
	transport_sum(p, ip, length, &sum);
	udp->checksum = ~checksum_fold(sum) ?: 0xffff;
	return true;
}

/* Where an option is, or else that which ends them, or else the message; 0 if they aren't whole, or not DHCP's. */
static __u32 SELF(find)(struct pkt *p, const struct SELF(message) *message, __u8 code)
{
	const __u8 *bytes = (const __u8 *)message;
	const __u32 length = pkt_len(p);
	__u32 at = sizeof(*message);

	if (message->cookie != htonl(DHCP_COOKIE))
		return 0;
	while (at < length && bytes[at] != code && bytes[at] != DHCP_END) {
		if (bytes[at] == DHCP_PAD)
			at++;
		else if (at + 1 == length)
			return 0;
		else
			at += 2u + bytes[at + 1];
	}
	return at <= length ? at : 0;
}

/* The option becomes the last one. False without memory. */
static bool SELF(tell)(struct pkt *p, __u32 end)
{
	const __u32 length = pkt_len(p), needed = end + cfg.told + 1;
	__u8 *bytes;

	if (!cfg.told || !end || needed > DHCP_MOST)
		return true;
	if (needed > length && !pkt_put(p, needed - length))
		return false;
	bytes = pkt_data(p, (int)end, pkt_len(p) - end);
	memset(bytes, DHCP_PAD, pkt_len(p) - end);
	memcpy(bytes, SELF(option), cfg.told);
	bytes[cfg.told] = DHCP_END;
	return true;
}

static int SELF(ask)(struct pkt *p, struct SELF(message) *message)
{
	const bool is_first = !message->relay;
	__u32 end;

	if (message->op != DHCP_REQUEST)
		return DROP(MALFORMED);
	if (message->hops > cfg.hops)
		return DROP(EXPIRED);
	end = SELF(find)(p, message, DHCP_AGENT);
	if (message->relay == cfg.ip || (is_first && end && end < pkt_len(p) && ((__u8 *)message)[end] == DHCP_AGENT))
		return DROP(FILTERED);
	message->hops++;
	if (is_first) {
		message->relay = cfg.ip;
		if (!SELF(tell)(p, end))
			return DROP(NO_MEMORY);
	}
	for (__u32 i = 1; i < cfg.count; i++) {
		struct pkt *copy = pkt_clone(p);

		if (!copy || !SELF(wrap)(copy, SELF(servers)[i], DHCP_SERVER_PORT)) {
			lose(1, NO_MEMORY);
			if (copy)
				pkt_free(copy);
		} else {
			emit(copy, 0);
		}
	}
	return SELF(wrap)(p, SELF(servers)[0], DHCP_SERVER_PORT) ? OUTPUT(0) : DROP(NO_MEMORY);
}

/* Takes out the option that a relay has put in; the message keeps its length. */
static void SELF(forget)(struct pkt *p, struct SELF(message) *message)
{
	__u8 *bytes = (__u8 *)message;
	const __u32 length = pkt_len(p), at = SELF(find)(p, message, DHCP_AGENT);
	__u32 after;

	if (!at || at + 1 >= length || bytes[at] != DHCP_AGENT)
		return;
	after = at + 2 + bytes[at + 1];
	if (after > length)
		return;
	memmove(bytes + at, bytes + after, length - after);
	memset(bytes + at + (length - after), DHCP_PAD, after - at);
}

static int SELF(answer)(struct pkt *p, struct SELF(message) *message)
{
	static const __u8 all[ETH_ALEN] = {255, 255, 255, 255, 255, 255};
	struct ethhdr to = {.h_proto = htons(ETH_P_IP)};
	bool is_for_one;
	__be32 yours;

	if (message->op != DHCP_ANSWER)
		return DROP(MALFORMED);
	if (message->relay != cfg.ip)
		return DROP(FILTERED);
	yours = message->yours;
	is_for_one = !(message->flags & htons(DHCP_BROADCAST)) && yours && message->hardware == 1 && message->hardware_length == ETH_ALEN;
	ether_copy(to.h_dest, is_for_one ? message->address : all);
	ether_copy(to.h_source, cfg.eth);
	SELF(forget)(p, message);
	if (!SELF(wrap)(p, is_for_one ? yours : 0xffffffff, DHCP_HOST_PORT) || !pkt_push(p, ETH_HLEN))
		return DROP(NO_MEMORY);
	memcpy(pkt_data(p, 0, ETH_HLEN), &to, ETH_HLEN);
	pkt_set_mac_header(p, 0);
	return OUTPUT(1);
}

ELEMENT(DHCPRelay)
{
	struct SELF(message) *message;

	if (!pkt_has_network_header(p))
		return DROP(UNMARKED);
	message = SELF(unwrap)(p);
	if (!message)
		return DROP(MALFORMED);
	return input ? SELF(answer)(p, message) : SELF(ask)(p, message);
}

#undef DHCP_SERVER_PORT
#undef DHCP_HOST_PORT
#undef DHCP_REQUEST
#undef DHCP_ANSWER
#undef DHCP_BROADCAST
#undef DHCP_COOKIE
#undef DHCP_PAD
#undef DHCP_AGENT
#undef DHCP_END
#undef DHCP_HEADERS
#undef DHCP_MOST
#undef DHCP_TTL
