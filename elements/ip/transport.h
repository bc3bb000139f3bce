/* What IP elements have to know of TCP (RFC 9293) and UDP (RFC 768). */
#ifndef CLICKBPF_IP_TRANSPORT_H
#define CLICKBPF_IP_TRANSPORT_H

#include "ip/ip.h"

#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17

struct tcp_header {
	__be16 source, destination;
	__be32 sequence, acknowledgement;
	__u8 offset;		/* upper half: the header's length in words */
	__u8 flags;
	__be16 window;
	__u16 checksum;
	__be16 urgent;
};

struct udp_header {
	__be16 source, destination;
	__be16 length;		/* header included */
	__u16 checksum;		/* 0 if there is none */
};

static __always_inline bool ip_is_first_fragment(const struct iphdr *ip)
{
	return !(ip->frag_off & htons(IP_OFFSET));
}

static __always_inline bool ip_is_fragment(const struct iphdr *ip)
{
	return ip->frag_off & htons(IP_MF | IP_OFFSET);
}

#endif
