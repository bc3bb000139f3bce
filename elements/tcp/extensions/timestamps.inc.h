/* Timestamps (RFC 7323): round trips are measured even after retransmissions, and old segments whose sequence numbers are in use again are
 * told from new ones (PAWS), unless the peer was silent for so long that its clock may have gone half around (5.5).
 */
struct STATE {
	bool is_used, is_there;		/* by both sides; in this segment */
	__u32 recent, value, echo;
};

/* Milliseconds since a time that others can't tell (7.1). */
#define CLOCK(t) ((__u32)(now() / 1000000) + (t)->iss * 2654435761u)
#define LONGEST_SILENCE (24 * 86400 * 1000000000ull)

HOOK(__u32, write_options, __u8 *at, __u8 flags)
{
	const __u32 length = BELOW(write_options)(t, at, flags);

	if (!own(t)->is_used && !(flags & TCP_SYN && t->state == TCP_SYN_SENT))
		return length;
	memcpy(at + length, (const __u8[]){TCP_OPTION_NOP, TCP_OPTION_NOP, TCP_OPTION_TIMESTAMPS, 10}, 4);
	word32(at + length + 4) = htonl(CLOCK(t));
	word32(at + length + 8) = htonl(own(t)->recent);
	return length + 12;
}

HOOK(void, read_option, const __u8 *option, __u8 flags)
{
	BELOW(read_option)(t, option, flags);
	if (option[0] != TCP_OPTION_TIMESTAMPS || option[1] != 10)
		return;
	own(t)->is_there = true;
	own(t)->value = ntohl(word32(option + 2));
	own(t)->echo = ntohl(word32(option + 6));
	own(t)->is_used |= flags & TCP_SYN;
	own(t)->recent = flags & TCP_SYN ? own(t)->value : own(t)->recent;
}

HOOK(bool, accept, const struct tcp_segment *s)
{
	const bool is_old = !own(t)->is_there || (seq_before(own(t)->value, own(t)->recent) && now() - t->heard < LONGEST_SILENCE);

	own(t)->is_there = false;
	if (own(t)->is_used && !(s->flags & (TCP_RST | TCP_SYN))) {
		if (is_old)
			return false;
		if (seq_upto(s->seq, t->acknowledged) && tcp_is_believable(t, s->ack))
			own(t)->recent = own(t)->value;
	}
	return BELOW(accept)(t, s);
}

HOOK(void, new_ack, __u32 bytes)
{
	const __u64 since = (CLOCK(t) - own(t)->echo) * 1000000ull;

	t->timed = t->tries ? t->una : t->timed;
	t->timed_at = own(t)->is_used && t->tries && since < TCP_RTO_MOST ? now() - since : t->timed_at;
	BELOW(new_ack)(t, bytes);
}
#undef CLOCK
