/* The bytes of a connection: those to send until they are acknowledged, and those received beyond a gap. Each direction has a ring of
 * TCPConnections' BUFFER bytes while it has any, so that small segments take no more memory than large ones. Runtime only.
 */
#pragma once

#include "tcp/tcp.h"

/* The application's bytes, as many as there is room for; returns how many. */
__u32 tcp_write(struct tcp_connections *c, struct tcp *t, const __u8 *bytes, __u32 length);
/* Copy bytes that are to be sent. */
void tcp_read(const struct tcp_connections *c, const struct tcp *t, __u32 seq, __u8 *to, __u32 length);
/* Bytes before `ack` are acknowledged. */
void tcp_acknowledged(struct tcp_connections *c, struct tcp *t, __u32 ack);
/* Keep bytes beyond a gap, within the window, but for those that are there. False if there are too many pieces, or no memory. */
bool tcp_keep_early(struct tcp_connections *c, struct tcp *t, __u32 seq, const __u8 *bytes, __u32 length);
/* Take bytes that are no longer beyond a gap, at most `most`: `t->expected` goes on by the result. */
__u32 tcp_take_early(struct tcp_connections *c, struct tcp *t, __u8 *to, __u32 most);

/* The window to announce: the right edge never moves back (RFC 9293, 3.8.6). */
__u32 tcp_right_edge(const struct tcp_connections *c, const struct tcp *t);
/* Give back the memory of both rings. */
void tcp_forget_bytes(struct tcp_connections *c, struct tcp *t);
