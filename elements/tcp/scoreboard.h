/* The scoreboard of selectively acknowledged data (RFC 6675). Runtime only. */
#pragma once

#include "tcp/tcp.h"

struct tcp_scoreboard {
	struct tcp_ranges had;	/* data that the peer has */
	__u32 again;		/* HighRxt: missing data before it has been retransmitted */
};

/* Update: add the blocks of a SACK option that are within the data under way. */
void tcp_scoreboard_read(struct tcp_scoreboard *board, struct tcp *t, const __u8 *option);
/* IsLost: data missing before the result is lost, since three ranges, or more than two segments' bytes, follow. */
__u32 tcp_scoreboard_lost(const struct tcp_scoreboard *board, const struct tcp *t);
/* SetPipe: set `t->out` to the bytes that have arrived, or are lost and not retransmitted. After a timeout, when everything is
 * retransmitted, skip what has arrived.
 */
void tcp_scoreboard_count(struct tcp_scoreboard *board, struct tcp *t);
/* NextSeg, rules 1 and 3: the number of bytes to retransmit from *seq on, lost ones or, without new data, missing ones. 0 for none. */
__u32 tcp_scoreboard_next(const struct tcp_scoreboard *board, const struct tcp *t, __u32 *seq);
