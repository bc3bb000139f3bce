/* Headers of TCP (RFC 9293), UDP (RFC 768), and other protocols with ports at the same offsets. */
#pragma once

#include "ip/ip.h"

#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17
#define PROTOCOL_DCCP 33	/* RFC 4340 */
#define PROTOCOL_SCTP 132	/* RFC 9260 */
#define PROTOCOL_UDPLITE 136	/* RFC 3828 */

/* Flags of TCP, in the 14th byte of its header. */
#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_PUSH 0x08
#define TCP_ACK 0x10

/* Kinds of TCP's options. */
#define TCP_OPTION_END 0
#define TCP_OPTION_NOP 1
#define TCP_OPTION_MSS 2
#define TCP_OPTION_WINDOW_SCALE 3
#define TCP_OPTION_SACK_PERMITTED 4
#define TCP_OPTION_SACK 5
#define TCP_OPTION_TIMESTAMPS 8

struct tcp_header {
	__be16 source, destination;
	__be32 sequence, acknowledgement;
	__u8 offset;		/* upper half: the header's length in words */
	__u8 flags;
	__be16 window;
	__u16 checksum;
	__be16 urgent;
};

/* Sequence numbers are compared modulo 2^32 (RFC 9293, 3.4). */
static __always_inline bool seq_before(__u32 one, __u32 other)
{
	return (__s32)(one - other) < 0;
}

static __always_inline bool seq_upto(__u32 one, __u32 other)
{
	return (__s32)(one - other) <= 0;
}

static __always_inline __u32 seq_later(__u32 one, __u32 other)
{
	return seq_before(one, other) ? other : one;
}

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
