/* Building TCP's packets, and replies without a connection. Runtime only. */
#pragma once

#include "tcp/tcp.h"

/* Set the key of an arriving segment, whose headers are marked. Returns whether it is IPv4. */
bool tcp_key_of(struct pkt *p, struct tcp_key *key);
/* Make the connection of an arriving segment, as tcp_new() does, in state SYN-RECEIVED. */
struct tcp *tcp_new_for(struct tcp_connections *c, struct pkt *p);
/* Set the key of the connection that a segment was sent on, from the segment's headers. */
void tcp_key_sent(const void *ip, const struct tcp_header *tcp, struct tcp_key *key);
/* Queue the reset for a segment without a connection (RFC 9293, 3.10.7.1), if one is due. */
void tcp_refuse(struct tcp_connections *c, struct pkt *p);
/* The sum of the pseudo-header before so many bytes of TCP. */
__u64 tcp_pseudo_sum(const struct iphdr *ip, __u32 length);
/* End the connection, and send the peer a reset. */
void tcp_abort(struct tcp_connections *c, struct tcp *t);
/* A packet for the application, after `p`: a copy of its headers, and room for `length` bytes. NULL without memory. */
struct pkt *tcp_data_after(struct pkt *p, __u32 length);
/* A packet of a connection: IP and TCP header, `options` bytes of options, `length` bytes of data; without checksums. NULL without
 * memory.
 */
struct pkt *tcp_packet(const struct tcp_key *key, bool is_ip4, __u32 options, __u32 length);
/* Set checksums and the destination annotation of such a packet, whose headers are filled in. */
void tcp_finish(struct pkt *p, bool is_ip4);
