/* Loss recovery by selective acknowledgements (RFC 6675), which `sack` asks for: what is missing is sent again, and only that. */
struct STATE {
	struct tcp_scoreboard board;
};

HOOK(void, read_option, const __u8 *option, __u8 flags)
{
	BELOW(read_option)(t, option, flags);
	if (option[0] == TCP_OPTION_SACK)
		tcp_scoreboard_read(&own(t)->board, t, option);
}

static void PASTE(LAYER, examine)(struct tcp *t)
{
	tcp_scoreboard_count(&own(t)->board, t);
	if (t->recovering || seq_before(t->una, t->recover) || tcp_scoreboard_lost(&own(t)->board, t) == t->una)
		return;
	TOP(lost)(t);
	tcp_scoreboard_count(&own(t)->board, t);
}

HOOK(bool, accept, const struct tcp_segment *s)
{
	if (seq_upto(s->ack, t->una))
		PASTE(LAYER, examine)(t);
	return BELOW(accept)(t, s);
}

HOOK(void, new_ack, __u32 bytes)
{
	BELOW(new_ack)(t, bytes);
	PASTE(LAYER, examine)(t);
}

/* The first one is sent whatever the window, then what it leaves room for. */
HOOK(__u32, missing, __u32 *seq)
{
	__u32 from, bytes = t->recovering ? tcp_scoreboard_next(&own(t)->board, t, &from) : 0;

	if (!bytes || (!t->resend && t->max - t->una + t->mss > (__u64)t->cwnd + t->out))
		return BELOW(missing)(t, seq);
	*seq = from;
	return bytes;
}

HOOK(void, send, __u32 seq, __u32 length)
{
	BELOW(send)(t, seq, length);
	if (t->recovering && seq_before(seq, t->max))
		own(t)->board.again = seq_later(own(t)->board.again, seq + length);
	PASTE(LAYER, examine)(t);
}

/* What it had it may have thrown away (RFC 2018, 8). */
HOOK(void, timeout)
{
	own(t)->board.had.count = 0;
	BELOW(timeout)(t);
}
