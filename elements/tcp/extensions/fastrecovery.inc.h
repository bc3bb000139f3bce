/* Fast retransmit and fast recovery (RFC 5681, 3.2, with the partial acknowledgements of RFC 6582, NewReno), and limited transmit
 * (RFC 3042). Where the other side reports what it has, `sackrecovery` knows more.
 */

/* Each of the first two duplicates lets a new segment go. The third: the segment that is missing is sent again, and each further one lets
 * another segment go, but no more than were under way, since somebody may make them up.
 */
HOOK(void, duplicate_ack)
{
	BELOW(duplicate_ack)(t);
	if (t->reports && !t->out)
		return;
	if (t->recovering && !t->reports) {
		t->out += t->out < t->recover - t->una ? t->mss : 0;
	} else if (!t->recovering && seq_before(t->recover, t->una)) {
		if (t->duplicates >= 3)
			TOP(lost)(t);
		if (!t->reports)
			t->out = t->duplicates * t->mss;
	}
	tcp_ready(t);
}

/* What was sent before the loss was noticed is acknowledged in part: the next segment is missing, too. */
HOOK(void, new_ack, __u32 bytes)
{
	BELOW(new_ack)(t, bytes);
	if (t->reports)
		return;
	t->resend = t->recovering;
	t->out = !t->recovering ? 0 : (t->out > bytes ? t->out - bytes : 0) + (bytes >= t->mss ? t->mss : 0);
}
