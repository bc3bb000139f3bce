/* Windows of more than 65535 bytes, where BUFFER has as many (RFC 7323, 2). */
struct STATE {
	bool is_offered;	/* by the other side */
};

HOOK(__u32, write_options, __u8 *at, __u8 flags)
{
	const __u32 length = BELOW(write_options)(t, at, flags);
	__u8 shift = 0;

	if (!(flags & TCP_SYN) || (t->state != TCP_SYN_SENT && !own(t)->is_offered))
		return length;
	while (65535u << shift < t->all->buffer)
		shift++;
	memcpy(at + length, (const __u8[]){TCP_OPTION_NOP, TCP_OPTION_WINDOW_SCALE, 3, shift}, 4);
	return length + 4;
}

HOOK(void, read_option, const __u8 *option, __u8 flags)
{
	BELOW(read_option)(t, option, flags);
	if (!(flags & TCP_SYN) || option[0] != TCP_OPTION_WINDOW_SCALE || option[1] != 3)
		return;
	own(t)->is_offered = true;
	t->peer_shift = option[2] < 14 ? option[2] : 14;
	while (65535u << t->own_shift < t->all->buffer)
		t->own_shift++;
}
