/* ICMP messages (RFC 792). Not from <linux/icmp.h>, which includes the C library's sockets. */
#pragma once

#include "ip/ip.h"

#define PROTOCOL_ICMP 1

enum icmp_type {
	ICMP_ECHO_REPLY = 0,
	ICMP_UNREACHABLE = 3,
	ICMP_SOURCE_QUENCH = 4,
	ICMP_REDIRECT = 5,
	ICMP_ECHO = 8,
	ICMP_TIME_EXCEEDED = 11,
	ICMP_PARAMETER_PROBLEM = 12,
	ICMP_TIMESTAMP_REQUEST = 13,
	ICMP_TIMESTAMP_ANSWER = 14,
	ICMP_INFORMATION_REQUEST = 15,
	ICMP_INFORMATION_ANSWER = 16,
};

#define ICMP_NEED_FRAGMENTATION 4	/* code of ICMP_UNREACHABLE (RFC 1191) */
#define ICMP_ERROR_AT_POINTER 0		/* code of ICMP_PARAMETER_PROBLEM */

struct icmp_header {
	__u8 type, code;
	__u16 checksum;
	union {
		struct {
			__be16 identifier, sequence;
		};
		__be32 gateway;		/* of a redirect */
		__u8 pointer;		/* of a parameter problem */
		struct {
			__be16 unused;
			__be16 mtu;	/* of a link, for ICMP_NEED_FRAGMENTATION */
		};
		__be32 rest;
	};
};

/* Whether a type is an error, as opposed to a query or reply (RFC 1122, 3.2.2). */
static __always_inline bool icmp_is_error(__u8 type)
{
	return type == ICMP_UNREACHABLE || type == ICMP_SOURCE_QUENCH || type == ICMP_REDIRECT ||
	       type == ICMP_TIME_EXCEEDED || type == ICMP_PARAMETER_PROBLEM;
}

/* The IP header that an ICMP error quotes, if it is there with its options and `more` bytes after them; or NULL. */
static __always_inline struct iphdr *icmp_quoted(struct pkt *p, __u32 more)
{
	struct icmp_header *icmp = pkt_transport_header(p, sizeof(*icmp) + sizeof(struct iphdr));
	struct iphdr *ip = (struct iphdr *)(icmp + 1);

	if (!icmp || !icmp_is_error(icmp->type) || ip->ihl < 5)
		return NULL;
	return pkt_transport_header(p, sizeof(*icmp) + ip_header_length(ip) + more) ? ip : NULL;
}
