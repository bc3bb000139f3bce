/* The data of a connection: to be sent until acknowledged, and received beyond a gap. Each direction has a ring of TCPConnections'
 * BUFFER bytes while it holds any data, so that small segments take no more memory than large ones. The byte with sequence number s is
 * at [s & (BUFFER - 1)]. Runtime only.
 */
#pragma once

#include "tcp/tcp.h"

/* Append the application's bytes, as far as there is room; returns their number. */
__u32 tcp_write(struct tcp *t, const __u8 *bytes, __u32 length);
/* Copy bytes to send. */
void tcp_read(const struct tcp *t, __u32 seq, __u8 *to, __u32 length);
/* Bytes before `ack` are acknowledged. */
void tcp_release(struct tcp *t, __u32 ack);
/* Keep bytes beyond a gap, within the window, but for those that are there. False if there are too many pieces, or no memory. */
bool tcp_keep_early(struct tcp *t, __u32 seq, const __u8 *bytes, __u32 length);
/* How many bytes are no longer beyond a gap. */
__u32 tcp_early(struct tcp *t);
/* Take so many of them; advances `t->expected`. */
void tcp_take_early(struct tcp *t, __u8 *to, __u32 length);

/* The right edge of the window to announce. It never moves back (RFC 9293, 3.8.6), and forward by a segment or half of the buffer at least,
 * so that the peer sends no small segments into the room (3.8.6.2.2).
 */
__u32 tcp_right_edge(const struct tcp *t);
/* Free both rings. */
void tcp_forget_bytes(struct tcp *t);
