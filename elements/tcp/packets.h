/* Packets that TCP makes, and answers that are no connection's. Runtime only. */
#pragma once

#include "tcp/tcp.h"

/* Whose segment it is that arrives; the headers of `p` are marked. Whether it is of IPv4. */
bool tcp_key_of(struct pkt *p, struct tcp_key *key);
/* Whose segment it is that was sent, from its headers. */
void tcp_key_sent(const void *ip, const struct tcp_header *tcp, struct tcp_key *key);
/* An answer to a segment of no connection (RFC 9293, 3.10.7.1), if it gets one. */
void tcp_refuse(struct tcp_connections *c, struct pkt *p);
/* Tell the other side that there is no such connection. */
void tcp_reset(struct tcp_connections *c, const struct tcp *t);
/* The connection ends now; the other side gets a reset. */
void tcp_abort(struct tcp_connections *c, struct tcp *t);
/* A packet for the application after `p`: a copy of its headers, and room for `length` bytes. NULL without memory. */
struct pkt *tcp_data_after(struct pkt *p, __u32 length);
/* A packet from a connection: IP and TCP header, `options` bytes of options, `length` bytes of data; without checksums. NULL without
 * memory.
 */
struct pkt *tcp_packet(const struct tcp_key *key, bool is_ip4, __u32 options, __u32 length);
/* Checksums and addresses' annotation of such a packet, whose headers are filled. */
void tcp_finish(struct pkt *p, bool is_ip4);
