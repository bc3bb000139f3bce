/* DHCP and BOOTP messages (RFC 2131, 2; RFC 951), for elements in the runtime. */
#pragma once

#include <string.h>

#include "tcpudp/checksum.h"

#define DHCP_SERVER_PORT 67
#define DHCP_HOST_PORT 68
#define BOOTREQUEST 1
#define BOOTREPLY 2
#define DHCP_BROADCAST 0x8000
#define DHCP_COOKIE 0x63825363
#define DHCP_PAD 0
#define DHCP_AGENT 82
#define DHCP_END 255
#define DHCP_HEADERS (sizeof(struct iphdr) + sizeof(struct udp_header))
#define DHCP_TTL 64

struct dhcp_message {
	__u8 op, htype, hlen, hops;
	__be32 xid;
	__be16 secs, flags;
	__be32 ciaddr, yiaddr, siaddr, giaddr;
	__u8 chaddr[16], sname[64], file[128];
	__be32 cookie;
};

/* Strip the headers from a message; NULL if it is truncated. */
static inline struct dhcp_message *dhcp_unwrap(struct pkt *p)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct udp_header *udp = ip ? pkt_transport_header(p, sizeof(*udp)) : NULL;
	__u32 length;

	if (!udp || ip->protocol != PROTOCOL_UDP || ip_is_fragment(ip))
		return NULL;
	length = ntohs(udp->length);
	if (length < sizeof(*udp) + sizeof(struct dhcp_message) || !pkt_begin(p, pkt_transport_offset(p)) || !pkt_trim(p, length) ||
	    !pkt_pull(p, sizeof(*udp)))
		return NULL;
	return pkt_data(p, 0, sizeof(struct dhcp_message));
}

/* Add new headers to a message, and reset the packet's annotations, such as the broadcast packet type. */
static inline bool dhcp_wrap(struct pkt *p, __be32 from, __be32 to, __u16 port)
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
			     .ttl = DHCP_TTL, .protocol = PROTOCOL_UDP, .saddr = from, .daddr = to};
	ip->check = ~checksum_fold(ip_sum20(ip));
	*udp = (struct udp_header){htons(DHCP_SERVER_PORT), htons(port), htons((__u16)length), 0};
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip(p, to);
	transport_sum(p, ip, length, &sum);
	udp->checksum = ~checksum_fold(sum) ?: 0xffff;
	return true;
}

/* Put an answer into a frame: unicast to address `to` and the host's hardware address, or broadcast if either is missing. */
static inline bool dhcp_frame(struct pkt *p, const struct dhcp_message *message, __be32 from, const __u8 *source, __be32 to)
{
	const bool is_for_one = to && message->htype == 1 && message->hlen == ETH_ALEN;
	struct ethhdr header = {.h_proto = htons(ETH_P_IP)};

	memset(header.h_dest, 255, ETH_ALEN);
	if (is_for_one)
		ether_copy(header.h_dest, message->chaddr);
	ether_copy(header.h_source, source);
	if (!dhcp_wrap(p, from, is_for_one ? to : 0xffffffff, DHCP_HOST_PORT) || !pkt_push(p, ETH_HLEN))
		return false;
	memcpy(pkt_data(p, 0, ETH_HLEN), &header, ETH_HLEN);
	pkt_set_mac_header(p, 0);
	return true;
}

/* The offset of an option, or else of the end option, or else of the message's end; 0 if the options are truncated, or not DHCP's. */
static inline __u32 dhcp_find(struct pkt *p, const struct dhcp_message *message, __u8 code)
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
