/* Header prediction (Van Jacobson): of an established connection the next segment is most often either an acknowledgement alone or data
 * alone, in order, and changes nothing else. Such a segment, which may have a timestamp aligned as in RFC 7323,
 * appendix A, is dealt with where its connection is found.
 */
static bool PASTE(LAYER, is_expected)(const struct tcp *t, const struct tcp_segment *s)
{
	return t->state == TCP_ESTABLISHED && (s->flags & ~TCP_PUSH) == TCP_ACK && s->seq == t->expected &&
	       s->window << t->peer_shift == t->wnd && t->next == t->max && !t->pieces.count && !t->fin_known;
}

static bool PASTE(LAYER, has_expected_options)(struct tcp *t, const struct tcp_segment *s)
{
	const __u8 *options = (const __u8 *)(s->header + 1);

	if (s->header->offset == 8 << 4 && word32(options) == htonl(0x0101080a))
		TOP(read_option)(t, options + 2, s->flags);
	else if (s->header->offset != 5 << 4)
		return false;
	return TOP(accept)(t, s);
}

HOOK(bool, predict, const struct tcp_segment *s)
{
	if (!PASTE(LAYER, is_expected)(t, s) || !PASTE(LAYER, has_expected_options)(t, s))
		return BELOW(predict)(t, s);
	if (!s->length && seq_before(t->una, s->ack) && seq_upto(s->ack, t->max)) {
		TOP(acknowledge)(t, s->ack);
	} else if (s->length && s->ack == t->una && s->length <= t->right - t->expected) {
		t->expected += s->length;
		TOP(receive_data)(t, s->length);
	} else {
		return BELOW(predict)(t, s);
	}
	t->wl1 = s->seq;
	t->heard = now();
	tcp_ready(t);
	return true;
}
