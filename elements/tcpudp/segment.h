/* The location of the segment after a packet's marked IP header (TCP, UDP, ICMP or another), for elements that write to it. */
#pragma once

#include "tcpudp/checksum.h"

struct segment {
	struct iphdr *ip;
	int offset;		/* from the packet's current start */
	__u32 length;		/* bytes, according to the IP header */
	__u32 room;		/* bytes of the packet from there */
};

/* False if no IP header is marked, or its lengths are invalid. The segment's stated length may exceed the packet. */
static __always_inline bool segment_find(struct pkt *p, struct segment *segment)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	__u32 header, total, there;

	if (!ip)
		return false;
	header = ip_header_length(ip);
	total = ntohs(ip->tot_len);
	there = pkt_len(p) - (__u32)pkt_network_offset(p);
	if (header < sizeof(*ip) || header > there || header > total)
		return false;
	segment->ip = ip;
	segment->offset = pkt_network_offset(p) + (int)header;
	segment->length = total - header;
	segment->room = there - header;
	return true;
}
