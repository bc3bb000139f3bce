/* What the other side says that it has beyond gaps, and what that means (RFC 6675). Runtime only. */
#pragma once

#include "tcp/tcp.h"

struct tcp_scoreboard {
	struct tcp_ranges had;	/* by the other side */
	__u32 again;		/* HighRxt: before it, what was missing has been sent again */
};

/* Update: the blocks of an option SACK, if they are of what is under way. */
void tcp_scoreboard_read(struct tcp_scoreboard *board, struct tcp *t, const __u8 *option);
/* IsLost: what is missing before the result is lost, since after it are three ranges, or more than two segments' bytes. */
__u32 tcp_scoreboard_lost(const struct tcp_scoreboard *board, const struct tcp *t);
/* SetPipe: `t->out` becomes what has arrived, or is lost and wasn't sent again. Where all is sent again, what has arrived is skipped. */
void tcp_scoreboard_count(struct tcp_scoreboard *board, struct tcp *t);
/* NextSeg, rules 1 and 3: how many bytes, from `seq` on, are lost; where there are no new data, are missing. 0 for none. */
__u32 tcp_scoreboard_next(const struct tcp_scoreboard *board, const struct tcp *t, __u32 *seq);
