/* TCPOutput: what to send, and when (RFC 9293, 3.8 and 3.10.2). */

/* The most segments of a connection in its turn, and of one run of the task. */
enum { SELF(AT_ONCE) = 16, SELF(IN_A_TURN) = 64 };

/* Whether `length` bytes are worth a segment: a full-sized one; all pending data, with nothing under way (Nagle, RFC 9293, 3.7.4);
 * half of the largest window (3.8.6.2.1); or a retransmission.
 */
static bool SELF(is_worth)(const struct tcp *t, __u32 length, __u32 most, __u32 pending)
{
	if (length >= most || seq_before(t->next, t->max))
		return length;
	if (length == pending && (t->all->nodelay || t->next == t->una || t->shut))
		return length;
	return length && length >= t->max_wnd / 2;
}

/* Whether the window has opened enough for an update (RFC 9293, 3.8.6.2.2). */
static bool SELF(opens)(const struct tcp *t)
{
	const __u32 wider = tcp_right_edge(t) - t->right, half = t->all->buffer / 2, two = 2 * t->mss;

	return wider && t->state < TCP_CLOSE_WAIT && wider >= (half < two ? half : two);
}

/* Choose the next segment after the SYN; false for none. During retransmission, a pure acknowledgement has the highest sequence number
 * sent: the peer may already have the data, and would take an older number for a duplicate and ignore the rest.
 */
static bool SELF(choose)(struct tcp *t, __u32 most, struct tcp_segment *s)
{
	const bool may = t->state >= TCP_ESTABLISHED;
	const __u32 window = HOOK_OF(window)(t), flight = t->next - t->una;
	const __u32 pending = may && seq_before(t->next, t->end) ? t->end - t->next : 0, room = window > flight ? window - flight : 0;
	__u32 length = pending < room ? pending : room;
	bool fin, sends;

	if (length > most)
		length = most;
	if (!length && pending && t->probe)
		length = 1;
	fin = may && t->shut && t->next + length == t->end;
	sends = fin || SELF(is_worth)(t, length, most, pending) || (t->probe && length);
	*s = (struct tcp_segment){.seq = sends ? t->next : t->max, .length = sends ? length : 0, .flags = TCP_ACK};
	if (s->length && length == pending)
		s->flags |= TCP_PUSH;
	if (fin)
		s->flags |= TCP_FIN;
	if (sends || t->ack_now)
		return true;
	if (t->ask)
		s->seq = t->una - 1;
	return t->ask || SELF(opens)(t);
}

static struct pkt *SELF(make)(struct tcp *t, struct tcp_segment *s, const __u8 *options, __u32 length)
{
	const __u32 right = s->flags & TCP_ACK ? tcp_right_edge(t) : t->all->buffer;
	const __u32 window = (right - t->expected) >> (s->flags & TCP_SYN ? 0 : t->own_shift);
	struct pkt *p;
	__u8 *at;

	s->ack = s->flags & TCP_ACK ? t->expected : 0;
	s->window = window < 65535 ? window : 65535;
	p = tcp_packet(&t->key, s, length, t->fragments);
	if (!p)
		return NULL;
	at = p->tail - s->length - length;
	memcpy(at, options, length);
	tcp_read(t, s->seq, at + length, s->length);
	tcp_finish(p);
	t->right = s->flags & TCP_ACK ? right : 0;
	t->acknowledged = t->expected;
	return p;
}

/* A segment leaves; `next` is what would have been sent next. */
static void SELF(sent)(struct tcp *t, const struct tcp_segment *s, __u32 next)
{
	const __u32 span = tcp_span(s), end = s->seq + span;

	t->all->counters->segments++;
	t->next = span ? seq_later(end, next) : next;
	HOOK_OF(send)(t, s->seq, span);
	t->max = seq_later(t->max, end);
	t->ask = t->ask && !span && s->seq == t->max;
	t->ack_now = t->probe = t->resend = false;
}

/* Build the connection's next segment, or return NULL. */
static struct pkt *SELF(next)(struct tcp *t)
{
	const bool syn = t->state <= TCP_SYN_RECEIVED && t->next == t->iss;
	__u8 options[40];
	const __u32 length = HOOK_OF(write_options)(t, options, syn ? TCP_SYN : TCP_ACK), next = t->next;
	__u32 seq, again = syn ? 0 : HOOK_OF(missing)(t, &seq), most = t->mss - length;
	struct tcp_segment s = {.seq = t->iss, .flags = t->state == TCP_SYN_SENT ? TCP_SYN : TCP_SYN | TCP_ACK};
	struct pkt *p;

	if (again) {
		t->next = seq;
		most = again < most ? again : most;
	}
	if (!syn && (t->state == TCP_SYN_SENT || !SELF(choose)(t, most, &s))) {
		t->next = next;
		t->resend = false;
		return NULL;
	}
	p = SELF(make)(t, &s, options, length);
	if (p)
		SELF(sent)(t, &s, next);
	return p;
}

/* Data remains, but nothing is under way: set the timer, since nothing else would wake the connection. */
static void SELF(wait)(struct tcp *t)
{
	if (t->state >= TCP_ESTABLISHED && t->next == t->una && seq_before(t->next, t->end) && !t->deadline[TCP_TIMER_RETRANSMIT])
		tcp_set_timer(t, TCP_TIMER_RETRANSMIT, now() + t->rto);
}

static void SELF(deliver)(struct pkt *p)
{
	emit(p, SELF(noutputs) > 1 && ip_version_of(p) != 4);
}

/* Send at most AT_ONCE segments of one connection; returns their number. Elements that get one may end the connection. */
static __u32 SELF(send)(struct tcp *t)
{
	const __u32 number = t->number;

	for (__u32 sent = 0; sent < SELF(AT_ONCE); sent++) {
		struct pkt *p = SELF(next)(t);

		if (!p) {
			SELF(wait)(t);
			return sent;
		}
		SELF(deliver)(p);
		t = tcp_numbered(connections(), number);
		if (!t)
			return sent + 1;
	}
	tcp_ready(t);
	return SELF(AT_ONCE);
}

TASK()
{
	struct tcp_connections *c = connections();
	__u32 sent = c->answering;
	struct tcp *t;

	for (__u32 i = 0; i < c->answering; i++)
		SELF(deliver)(c->answers[i]);
	c->answering = 0;
	while (sent < SELF(IN_A_TURN) && (t = link_first(&c->ready, struct tcp, ready))) {
		link_remove(&t->ready);
		sent += 1 + SELF(send)(t);
	}
	if (!link_is_alone(&c->ready) || c->answering)
		task_schedule();
	return sent;
}

INIT()
{
	connections()->output = SELF(task_state);
	return 0;
}

ELEMENT(TCPOutput)
{
	struct tcp *t = tcp_of(connections(), p);
	const __u32 length = pkt_len(p);

	if (!t)
		return DROP(ENDED);
	if (!length) {
		tcp_shut(t);
	} else if (tcp_write(t, p->data, length) < length) {
		tcp_abort(t);
		return DROP(FULL);
	} else {
		tcp_ready(t);
	}
	pkt_free(p);
	return STOLEN;
}
