/* TCPConnections: memory and timers. The hooks of its layers come before this text (_extensions.py). */
#include <errno.h>
#include <stdlib.h>

/* Timers to process in one run. */
enum { SELF(IN_A_TURN) = 256 };

_Static_assert(sizeof(((struct SELF(row) *)NULL)->key) == sizeof(struct tcp_key), "tcpconnections.py");

/* The retransmission timer; also probes a closed window (RFC 9293, 3.8.6.1). */
static void SELF(retransmit)(struct tcp *t)
{
	const bool waits = t->next == t->una && t->una == t->max, opens = t->una == t->iss;
	const __u8 most = !opens ? TCP_TRIES : t->opened ? TCP_SYN_TRIES : TCP_SYN_ACK_TRIES;

	if (!waits && ++t->tries > most) {
		tcp_abort(t);
		return;
	}
	/* A window that is closed, or too small for a segment, says nothing of congestion. */
	if (opens || (t->wnd && !waits))
		SELF(hook_timeout)(t);
	else
		SELF(base_timeout)(t);
	t->probe = waits || !t->wnd;
	tcp_ready(t);
}

/* Send a keep-alive probe (RFC 9293, 3.8.4), unless data under way serves as one. */
static void SELF(keep_alive)(struct tcp *t, __u64 time)
{
	__u64 next;

	if (t->heard >= t->asked)
		t->asks = 0;
	next = t->asks ? t->asked + cfg.keepalive_interval : t->heard + cfg.keepalive;
	if (next <= time && t->una == t->max) {
		if (t->asks == cfg.keepalive_count) {
			t->all->counters->silent++;
			tcp_abort(t);
			return;
		}
		t->asks++;
		t->asked = time;
		t->ask = true;
		tcp_ready(t);
	}
	if (next <= time)
		next = time + (cfg.keepalive_interval < cfg.keepalive ? cfg.keepalive_interval : cfg.keepalive);
	tcp_set_timer(t, TCP_TIMER_LINGER, cfg.timeout && t->heard + cfg.timeout < next ? t->heard + cfg.timeout : next);
}

/* The timeout of a state, or of the connection. */
static void SELF(linger)(struct tcp *t, __u64 time)
{
	const bool unwanted = t->state == TCP_FIN_WAIT_2 && !t->joined;
	const __u64 most = unwanted ? TCP_LINGER : cfg.timeout;

	if (t->state == TCP_TIME_WAIT) {
		t->all->counters->ended++;
		tcp_end(t);
	} else if (most && time - t->heard >= most) {
		tcp_abort(t);
	} else if (cfg.keepalive && !unwanted) {
		SELF(keep_alive)(t, time);
	} else {
		tcp_linger(t);
	}
}

static void SELF(expire)(struct tcp *t, __u64 time)
{
	int timer = 0;

	while (!t->deadline[timer] || t->deadline[timer] > time)
		timer++;
	tcp_set_timer(t, timer, 0);
	if (timer == TCP_TIMER_RETRANSMIT)
		SELF(retransmit)(t);
	else if (timer == TCP_TIMER_DELAY)
		SELF(hook_alarm)(t);
	else
		SELF(linger)(t, time);
}

TIMER()
{
	struct tcp_connections *c = SELF(all);
	const struct heap_node *first;
	const __u64 time = now();

	for (int i = 0; i < SELF(IN_A_TURN) && (first = heap_first(&c->heap)) && first->key <= time; i++)
		SELF(expire)(container_of(first, struct tcp, node), time);
	if ((first = heap_first(&c->heap)))
		timer_at(first->key > time ? first->key : time);
}

INIT()
{
	struct tcp_connections *c = SELF(all);

	c->capacity = cfg.capacity;
	c->extra = SELF(hook_end) * 8;
	c->layers = SELF(layers);
	c->buffer = cfg.buffer;
	c->memory = cfg.memory;
	c->peer_most = cfg.peer;
	c->mtu = cfg.mtu;
	c->nodelay = cfg.nodelay;
	c->rto_least = cfg.rto_min;
	c->silence = cfg.keepalive ? cfg.keepalive : cfg.timeout;
	c->counters = (struct tcp_counters *)private(counters);
	c->timer = &SELF(timer_state);
	return tcp_open(c);
}

CLEANUP()
{
	tcp_close(SELF(all));
}

/* Copy what the handler `table` shows of each connection; returns their number. */
static int SELF(copy)(struct SELF(row) *row)
{
	const struct tcp_connections *c = SELF(all);
	int copied = 0;

	for (__u32 i = 0; i < c->capacity; i++) {
		const struct tcp *t = c->slot[i].t;

		if (!t)
			continue;
		row[copied] = (struct SELF(row)){.number = t->number, .state = t->state, .held = tcp_held(t)};
		memcpy(row[copied++].key, &t->key, sizeof(t->key));
	}
	return copied;
}

CONTROL()
{
	if (op == SELF(TAKE))
		return tcp_take(SELF(all), *(struct tcp_connections **)argument);
	if (op == SELF(COPY))
		return SELF(copy)((struct SELF(row) *)argument);
	*(struct tcp_connections **)argument = SELF(all);
	return 0;
}
