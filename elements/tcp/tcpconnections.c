/* TCPConnections: memory and timers. The hooks of its layers come before this text (_extensions.py). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Timers to process in one run. */
#define SELF_TURN 256

/* The retransmission timer; also probes a closed window (RFC 9293, 3.8.6.1). */
static void SELF(retransmit)(struct tcp *t)
{
	struct tcp_connections *c = SELF(all);
	const bool waits = t->next == t->una && t->una == t->max, opens = t->una == t->iss;

	if (!waits && ++t->tries > (opens ? TCP_SYN_TRIES : TCP_TRIES)) {
		tcp_abort(c, t);
		return;
	}
	/* A closed window says nothing of congestion. */
	if (t->wnd || opens)
		SELF(hook_timeout)(t);
	else
		SELF(base_timeout)(t);
	t->probe = waits || !t->wnd;
	tcp_ready(c, t);
}

/* Send a keep-alive probe (RFC 9293, 3.8.4), unless data under way serves as one. */
static void SELF(keep_alive)(struct tcp *t, __u64 time)
{
	struct tcp_connections *c = SELF(all);
	__u64 next;

	if (t->heard >= t->asked)
		t->asks = 0;
	next = t->asks ? t->asked + cfg.keepalive_interval : t->heard + cfg.keepalive;
	if (next <= time && t->una == t->max) {
		if (t->asks == cfg.keepalive_count) {
			c->counters->silent++;
			tcp_abort(c, t);
			return;
		}
		t->asks++;
		t->asked = time;
		t->ask = true;
		tcp_ready(c, t);
	}
	if (next <= time)
		next = time + (cfg.keepalive_interval < cfg.keepalive ? cfg.keepalive_interval : cfg.keepalive);
	tcp_set_timer(c, t, TCP_TIMER_LINGER, cfg.timeout && t->heard + cfg.timeout < next ? t->heard + cfg.timeout : next);
}

/* The timeout of a state, or of the connection. */
static void SELF(linger)(struct tcp *t, __u64 time)
{
	struct tcp_connections *c = SELF(all);
	const bool unwanted = t->state == TCP_FIN_WAIT_2 && !t->joined;
	const __u64 most = unwanted ? TCP_LINGER : cfg.timeout;

	if (t->state == TCP_TIME_WAIT) {
		c->counters->ended++;
		tcp_end(c, t);
	} else if (most && time - t->heard >= most) {
		tcp_abort(c, t);
	} else if (cfg.keepalive && !unwanted) {
		SELF(keep_alive)(t, time);
	} else if (most) {
		tcp_set_timer(c, t, TCP_TIMER_LINGER, t->heard + most);
	}
}

static void SELF(expire)(struct tcp *t, __u64 time)
{
	struct tcp_connections *c = SELF(all);
	int timer = 0;

	while (!t->deadline[timer] || t->deadline[timer] > time)
		timer++;
	tcp_set_timer(c, t, timer, 0);
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

	for (int i = 0; i < SELF_TURN && (first = heap_first(&c->heap)) && first->key <= time; i++)
		SELF(expire)((struct tcp *)((char *)first - offsetof(struct tcp, node)), time);
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

/* The hexadecimal digits of an address. */
static void SELF(print_address)(FILE *to, const __u8 *address)
{
	for (int i = 0; i < 16; i++)
		fprintf(to, "%02x", address[i]);
}

static int SELF(describe)(void)
{
	const struct tcp_connections *c = SELF(all);
	size_t length;
	FILE *to = open_memstream((char **)&private(text)->at, &length);

	if (!to)
		return -ENOMEM;
	for (__u32 i = 0; i < c->capacity; i++) {
		const struct tcp *t = c->slot[i];

		if (!t)
			continue;
		SELF(print_address)(to, t->key.own);
		fputc(' ', to);
		SELF(print_address)(to, t->key.peer);
		fprintf(to, " %u %u %u %u %u\n", ntohs(t->key.own_port), ntohs(t->key.peer_port), t->number, t->state, tcp_held(t));
	}
	return fclose(to) ? -ENOMEM : 0;
}

CONTROL()
{
	if (op == SELF(WHERE)) {
		*(struct tcp_connections **)argument = SELF(all);
		return 0;
	}
	if (op == SELF(TAKE))
		return tcp_take(SELF(all), *(struct tcp_connections **)argument);
	if (op == SELF(DESCRIBE))
		return SELF(describe)();
	free(private(text)->at);
	private(text)->at = NULL;
	return 0;
}
#undef SELF_TURN
