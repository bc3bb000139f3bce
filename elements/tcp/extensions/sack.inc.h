/* Selective acknowledgements (RFC 2018): each segment says which data came beyond a gap, those of the last segment first, and before
 * them which data came twice (RFC 2883). Beside timestamps there is room for three ranges.
 */
struct STATE {
	bool is_offered;	/* by the other side */
	__u32 newest;		/* where the last segment beyond a gap began */
	struct tcp_range twice;	/* empty if nothing came twice */
};

HOOK(void, read_option, const __u8 *option, __u8 flags)
{
	BELOW(read_option)(t, option, flags);
	own(t)->is_offered |= flags & TCP_SYN && option[0] == TCP_OPTION_SACK_PERMITTED;
}

HOOK(void, arrive, const struct tcp_segment *s)
{
	const struct tcp_range *piece = tcp_ranges_find(&t->pieces, s->seq);
	const __u32 had = seq_before(s->seq, t->expected) ? t->expected : piece ? piece->to : s->seq, end = s->seq + s->length;

	BELOW(arrive)(t, s);
	if (!s->length)
		return;
	if (seq_before(t->expected, s->seq))
		own(t)->newest = s->seq;
	if (had != s->seq)
		own(t)->twice = (struct tcp_range){s->seq, seq_before(end, had) ? end : had};
}

static __u32 PASTE(LAYER, write)(__u8 *at, struct tcp_range range)
{
	word32(at) = htonl(range.from);
	word32(at + 4) = htonl(range.to);
	return 8;
}

HOOK(__u32, write_options, __u8 *at, __u8 flags)
{
	const __u32 below = BELOW(write_options)(t, at, flags), count = t->pieces.count;
	const struct tcp_range twice = own(t)->twice, *newest = tcp_ranges_find(&t->pieces, own(t)->newest);
	const __u32 first = newest ? newest - t->pieces.at : count - 1;
	__u32 length = 4, kind = flags & TCP_SYN ? TCP_OPTION_SACK_PERMITTED : TCP_OPTION_SACK;

	if (!own(t)->is_offered && !(flags & TCP_SYN && t->state == TCP_SYN_SENT))
		return below;
	at += below;
	if (!(flags & TCP_SYN) && twice.from != twice.to)
		length += PASTE(LAYER, write)(at + length, twice);
	for (__u32 i = 0; i < count && length < 4 + 3 * 8; i++)
		length += PASTE(LAYER, write)(at + length, t->pieces.at[(first + count - i) % count]);
	memcpy(at, (const __u8[]){TCP_OPTION_NOP, TCP_OPTION_NOP, kind, length - 2}, 4);
	return length > 4 || flags & TCP_SYN ? below + length : below;
}

HOOK(void, send, __u32 seq, __u32 length)
{
	BELOW(send)(t, seq, length);
	own(t)->twice = (struct tcp_range){};
}
