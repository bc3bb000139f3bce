/* Delayed acknowledgements (RFC 9293, 3.8.6.3): of every second segment at once, of others with the next segment that is sent, or after a
 * while. How long full-sized segments are is the peer's to know.
 */
#define LONGEST_DELAY 40000000ull	/* ns; RFC 9293 permits 500 ms, Linux waits as long at least */

HOOK(void, receive_data, __u32 length)
{
	const bool at_once = t->ack_now;

	BELOW(receive_data)(t, length);
	if (at_once || t->deadline[TCP_TIMER_DELAY])
		return;
	t->ack_now = false;
	tcp_set_timer(t, TCP_TIMER_DELAY, now() + LONGEST_DELAY);
}

HOOK(void, send, __u32 seq, __u32 length)
{
	BELOW(send)(t, seq, length);
	tcp_set_timer(t, TCP_TIMER_DELAY, 0);
}

HOOK(void, alarm)
{
	BELOW(alarm)(t);
	tcp_acknowledge(t);
}
#undef LONGEST_DELAY
