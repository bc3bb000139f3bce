/* Multicast Listener Discovery (RFC 2710, RFC 3810): the parts for snooping switches (RFC 4541). */
#pragma once

#include "ip6/icmp6.h"

enum mld_type {
	MLD_QUERY = 130,
	MLD_REPORT = 131,
	MLD_DONE = 132,
	MLD_REPORT2 = 143,
};

/* Queries, reports and Done messages of MLDv1. An MLDv2 query has four more bytes. */
struct mld_message {
	__u8 type, code;
	__u16 checksum;
	__be16 delay, reserved;
	__u8 group[16];
};

struct mld_query2 {
	struct mld_message first;
	__u8 flags, interval;
	__be16 sources;
};

#define MLD_SUPPRESS 0x08	/* S flag: routers don't lower their timers */

struct mld_report2 {
	__u8 type, reserved;
	__u16 checksum;
	__be16 more, records;
};

struct mld_record {
	__u8 type, words;	/* words of more data after the sources */
	__be16 sources;
	__u8 group[16];
};

/* Types of records (RFC 3810, 5.2.12). */
enum {
	MLD_IS_INCLUDE = 1,
	MLD_IS_EXCLUDE,
	MLD_TO_INCLUDE,
	MLD_TO_EXCLUDE,
	MLD_ALLOW,
	MLD_BLOCK,
};

#define MLD_AT ETH_HLEN	/* offset of the IPv6 header in a frame */

static __always_inline bool mld_is_type(__u8 type)
{
	return (type >= MLD_QUERY && type <= MLD_DONE) || type == MLD_REPORT2;
}

/* Find the message in a frame, after one hop-by-hop options header; its type, or 0 if there is none. */
static __always_inline int mld_find(struct pkt *p, const struct ip6_header *ip, __u8 *type)
{
	const __u8 *options, *message;
	int at = MLD_AT + sizeof(*ip);

	if (ip->next != IP6_HOP_BY_HOP)
		return 0;
	options = pkt_data(p, at, 8);
	if (!options || options[0] != IP6_ICMP)
		return 0;
	at += (options[1] + 1) * 8;
	message = pkt_data(p, at, sizeof(struct icmp6_header));
	if (!message || !mld_is_type(*message))
		return 0;
	*type = *message;
	return at;
}

/* Groups that are never reported: all nodes, and those of interface-local scope or less (RFC 3810, 6). */
static __always_inline bool mld_is_for_all(const __u8 *group)
{
	return (group[1] & 0xf) <= 1 || (word32(group) == htonl(0xff020000) && !(word32(group + 4) | word32(group + 8)) &&
					 word32(group + 12) == htonl(1));
}
