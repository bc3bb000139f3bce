/* TCPOutput: what to send, and when (RFC 9293, 3.8 and 3.10.2). */

/* The most segments of a connection in its turn, and of one run of the task. */
#define AT_ONCE 16
#define IN_A_TURN 64

/* Its sequence number, data and flags. */
struct SELF(plan) {
	__u32 seq, length;
	__u8 flags;
};

static bool SELF(sends_data)(const struct tcp *t)
{
	return t->state == TCP_ESTABLISHED || t->state == TCP_CLOSE_WAIT || t->state == TCP_FIN_WAIT_1 || t->state == TCP_CLOSING ||
	       t->state == TCP_LAST_ACK;
}

/* Whether `length` bytes are worth a segment: a full-sized one; all pending data, with nothing under way (Nagle, RFC 9293, 3.7.4);
 * half of the largest window (3.8.6.2.1); or a retransmission.
 */
static bool SELF(is_worth)(const struct tcp *t, __u32 length, __u32 most, __u32 pending)
{
	if (length >= most || seq_before(t->next, t->max))
		return length;
	if (length == pending && (connections()->nodelay || t->next == t->una || t->shut))
		return length;
	return length && length >= t->max_wnd / 2;
}

/* Whether the window has opened enough for an update (RFC 9293, 3.8.6.2.2). */
static bool SELF(opens)(const struct tcp *t)
{
	const __u32 wider = tcp_right_edge(connections(), t) - t->right, half = connections()->buffer / 2, two = 2 * t->mss;

	return wider && t->state < TCP_CLOSE_WAIT && wider >= (half < two ? half : two);
}

/* Choose the next segment; false for none. During retransmission, a pure acknowledgement has the highest sequence number sent: the
 * peer may already have the data, and would take an older number for a duplicate and ignore the rest.
 */
static bool SELF(choose)(struct tcp *t, __u32 most, struct SELF(plan) *plan)
{
	const bool may = SELF(sends_data)(t);
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
	*plan = (struct SELF(plan)){sends ? t->next : t->max, sends ? length : 0, TCP_ACK};
	if (plan->length && length == pending)
		plan->flags |= TCP_PUSH;
	if (fin)
		plan->flags |= TCP_FIN;
	if (sends || t->ack_now)
		return true;
	if (!t->ask)
		return SELF(opens)(t);
	*plan = (struct SELF(plan)){t->una - 1, 0, TCP_ACK};
	return true;
}

/* Plan the SYN, with or without an acknowledgement. */
static bool SELF(choose_syn)(struct tcp *t, struct SELF(plan) *plan)
{
	*plan = (struct SELF(plan)){t->iss, 0, t->state == TCP_SYN_SENT ? TCP_SYN : TCP_SYN | TCP_ACK};
	return t->next == t->iss;
}

static struct pkt *SELF(make)(struct tcp *t, const struct SELF(plan) *plan, const __u8 *options, __u32 options_length)
{
	struct tcp_connections *c = connections();
	struct pkt *p = tcp_packet(&t->key, t->is_ip4, options_length, plan->length);
	struct tcp_header *tcp;
	__u32 window;

	if (!p)
		return NULL;
	t->right = t->state == TCP_SYN_SENT ? 0 : tcp_right_edge(c, t);
	window = t->state == TCP_SYN_SENT ? c->buffer : t->right - t->expected;
	if (!(plan->flags & TCP_SYN))
		window >>= t->own_shift;
	tcp = pkt_transport_header(p, sizeof(*tcp));
	tcp->sequence = htonl(plan->seq);
	tcp->acknowledgement = plan->flags & TCP_ACK ? htonl(t->expected) : 0;
	t->acknowledged = t->expected;
	tcp->flags = plan->flags;
	tcp->window = htons(window < 65535 ? window : 65535);
	memcpy(tcp + 1, options, options_length);
	tcp_read(c, t, plan->seq, (__u8 *)(tcp + 1) + options_length, plan->length);
	if (t->fragments) {
		struct iphdr *ip = (struct iphdr *)p->data;

		ip->frag_off = 0;
		ip->id = random_u32();
	}
	tcp_finish(p, t->is_ip4);
	return p;
}

/* Build the connection's next segment, or return NULL. */
static struct pkt *SELF(next)(struct tcp *t)
{
	const bool syn = t->state == TCP_SYN_SENT || (t->state == TCP_SYN_RECEIVED && t->next == t->iss);
	__u8 options[40];
	__u32 options_length = HOOK_OF(write_options)(t, options, syn ? TCP_SYN : TCP_ACK), span;
	const __u32 kept = t->next;
	__u32 seq, again = syn ? 0 : HOOK_OF(missing)(t, &seq), most = t->mss - options_length;
	struct SELF(plan) plan;
	struct pkt *p;

	if (again) {
		t->next = seq;
		most = again < most ? again : most;
	}
	if (!(syn ? SELF(choose_syn)(t, &plan) : SELF(choose)(t, most, &plan))) {
		t->next = kept;
		t->resend = false;
		return NULL;
	}
	p = SELF(make)(t, &plan, options, options_length);
	if (!p)
		return NULL;
	connections()->counters->segments++;
	span = plan.length + !!(plan.flags & TCP_SYN) + !!(plan.flags & TCP_FIN);
	t->next = span ? seq_later(plan.seq + span, kept) : kept;
	HOOK_OF(send)(t, plan.seq, span);
	t->max = seq_later(t->max, plan.seq + span);
	t->ask = t->ask && !span && plan.seq == t->max;
	t->ack_now = t->probe = t->resend = false;
	return p;
}

/* Data remains, but nothing is under way: set the timer, since nothing else would wake the connection. */
static void SELF(wait)(struct tcp *t)
{
	if (SELF(sends_data)(t) && t->next == t->una && seq_before(t->next, t->end) && !t->deadline[TCP_TIMER_RETRANSMIT])
		tcp_set_timer(connections(), t, TCP_TIMER_RETRANSMIT, now() + t->rto);
}

/* Send at most AT_ONCE segments of one connection; returns their number. Elements that get one may end the connection. */
static __u32 SELF(send)(struct tcp *t)
{
	struct tcp_connections *c = connections();
	const __u32 number = t->number;
	struct pkt *p;
	__u32 sent;

	for (sent = 0; sent < AT_ONCE; sent++) {
		const int port = SELF(noutputs) > 1 && !t->is_ip4;

		p = SELF(next)(t);
		if (!p) {
			SELF(wait)(t);
			return sent;
		}
		emit(p, port);
		t = tcp_numbered(c, number);
		if (!t)
			return sent + 1;
	}
	tcp_ready(c, t);
	return sent;
}

static __u32 SELF(answer)(void)
{
	struct tcp_connections *c = connections();
	struct pkt *p;
	__u32 sent;

	for (sent = 0; (p = c->answers); sent++) {
		const int port = SELF(noutputs) > 1 && ((const struct iphdr *)p->data)->version != 4;

		c->answers = p->next;
		c->answering--;
		emit(p, port);
	}
	return sent;
}

TASK()
{
	struct tcp_connections *c = connections();
	__u32 sent = SELF(answer)();
	struct tcp *t;

	while (sent < IN_A_TURN && (t = tcp_first_ready(c)))
		sent += 1 + SELF(send)(t);
	if (c->ready || c->answers)
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
	struct tcp_connections *c = connections();
	struct tcp *t = tcp_of(c, p);
	const __u32 length = pkt_len(p);

	if (!t)
		return DROP(ENDED);
	if (!length) {
		tcp_shut(c, t, now());
	} else if (tcp_write(c, t, p->data, length) < length) {
		tcp_abort(c, t);
		return DROP(FULL);
	} else {
		tcp_ready(c, t);
	}
	pkt_free(p);
	return STOLEN;
}
#undef AT_ONCE
#undef IN_A_TURN
