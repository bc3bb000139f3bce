/* TCP's packets, those that arrive and those that it makes, and replies without a connection. Runtime only. */
#pragma once

#include "tcp/tcp.h"

/* What an IP packet carries, and where it begins and ends in the packet. */
struct payload {
	__u8 protocol;
	int header, end;
};

/* Whether an address of a key is of IPv4. */
static inline bool tcp_is_mapped(const __u8 *address)
{
	return !memcmp(address, (const __u8[12]){[10] = 0xff, 0xff}, 12);
}

/* The segment of a packet that TCPLookup has passed: the packet is its data. */
static inline struct tcp_segment tcp_segment_of(struct pkt *p)
{
	struct tcp_header *header = pkt_transport_header(p, sizeof(*header));

	return (struct tcp_segment){.header = header, .seq = ntohl(header->sequence), .ack = ntohl(header->acknowledgement),
				    .window = ntohs(header->window), .length = pkt_len(p), .flags = header->flags};
}

/* Find what follows the marked IP header, of 20 bytes at least. False for fragments, and without a good header. */
bool payload_find(struct pkt *p, struct payload *payload);
/* Whether the checksum of TCP or ICMP is right. */
bool payload_is_right(struct pkt *p, const struct payload *payload);

/* The key of the connection that a segment with these headers arrives for. */
struct tcp_key tcp_key_of(const void *ip, const struct tcp_header *tcp);
/* The same of a segment that TCPLookup has passed. */
struct tcp_key tcp_key_for(struct pkt *p);
/* Queue the reset for a segment without a connection (RFC 9293, 3.10.7.1), if one is due. */
void tcp_refuse(struct tcp_connections *c, struct pkt *p);
/* End the connection, and send the peer a reset. */
void tcp_abort(struct tcp *t);
/* A packet with these fields, room for `options` bytes of options and for the data; without TCP's checksum. With `fragments`, routers may
 * fragment it. NULL without memory.
 */
struct pkt *tcp_packet(const struct tcp_key *key, const struct tcp_segment *s, __u32 options, bool fragments);
/* Set the checksum of such a packet, whose options and data are there. */
void tcp_finish(struct pkt *p);
