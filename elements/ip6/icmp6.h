/* ICMPv6 messages (RFC 4443) and neighbour discovery (RFC 4861). */
#pragma once

#include "ip6/ip6.h"

enum icmp6_type {
	ICMP6_UNREACHABLE = 1,
	ICMP6_PACKET_TOO_BIG = 2,
	ICMP6_TIME_EXCEEDED = 3,
	ICMP6_PARAMETER_PROBLEM = 4,
	ICMP6_ECHO = 128,
	ICMP6_ECHO_REPLY = 129,
	ICMP6_ROUTER_SOLICITATION = 133,
	ICMP6_ROUTER_ADVERTISEMENT = 134,
	ICMP6_SOLICITATION = 135,
	ICMP6_ADVERTISEMENT = 136,
	ICMP6_REDIRECT = 137,
};

struct icmp6_header {
	__u8 type, code;
	__u16 checksum;
	union {
		struct {
			__be16 identifier, sequence;
		};
		__be32 rest;
	};
};

/* Types below 128 are errors (RFC 4443, 2.1). */
static __always_inline bool icmp6_is_error(__u8 type)
{
	return type < 128;
}
