/* The scoreboard of selectively acknowledged data (RFC 6675). Runtime only. */
#pragma once

#include "tcp/tcp.h"

struct tcp_scoreboard {
	struct tcp_ranges had;	/* data that the peer has */
	__u32 again;		/* HighRxt: missing data before it has been retransmitted */
};

/* Update: add the blocks of a SACK option that are within the data under way. */
static inline void tcp_scoreboard_read(struct tcp_scoreboard *board, struct tcp *t, const __u8 *option)
{
	t->reports = true;
	for (const __u8 *at = option + 2; at + 8 <= option + option[1]; at += 8) {
		const struct tcp_range block = {ntohl(word32(at)), ntohl(word32(at + 4))};

		if (seq_before(t->una, block.from) && seq_before(block.from, block.to) && seq_upto(block.to, t->max))
			tcp_ranges_add(&board->had, block);
	}
}

/* IsLost: data missing before the result is lost, since three ranges, or more than two segments' bytes, follow. */
static inline __u32 tcp_scoreboard_lost(const struct tcp_scoreboard *board, const struct tcp *t)
{
	__u32 bytes = 0;

	for (__u32 i = board->had.count; i--;) {
		bytes += board->had.at[i].to - board->had.at[i].from;
		if (board->had.count - i >= 3 || bytes > 2u * t->mss)
			return board->had.at[i].from;
	}
	return t->una;
}

/* SetPipe: set `t->out` to the bytes that have arrived, or are lost and not retransmitted. After a timeout, when everything is
 * retransmitted, skip what has arrived.
 */
static inline void tcp_scoreboard_count(struct tcp_scoreboard *board, struct tcp *t)
{
	const struct tcp_range *skipped;

	if (!t->reports)
		return;
	tcp_ranges_cut(&board->had, t->una);
	skipped = tcp_ranges_find(&board->had, t->next);
	t->next = skipped ? skipped->to : t->next;
	board->again = t->recovering ? seq_later(board->again, t->una) : t->una;
	t->out = t->next - t->una - tcp_ranges_missing(&board->had, t->una, t->next);
	if (t->recovering)
		t->out += tcp_ranges_missing(&board->had, board->again, tcp_scoreboard_lost(board, t));
}

/* NextSeg, rules 1 and 3: the number of bytes to retransmit from *seq on, lost ones or, without new data that the peer has room for, missing
 * ones. 0 for none.
 */
static inline __u32 tcp_scoreboard_next(const struct tcp_scoreboard *board, const struct tcp *t, __u32 *seq)
{
	const bool is_new = seq_before(t->next, t->end) && t->next - t->una < t->wnd;
	__u32 bytes;

	*seq = board->again;
	bytes = tcp_ranges_gap(&board->had, seq);
	return seq_before(*seq, tcp_scoreboard_lost(board, t)) || !is_new ? bytes : 0;
}
