/* TCPSource: connections that send. */
#include <errno.h>
#include <stdlib.h>

/* Bytes to push at a time, connections to process in one run of the task, its sleep when there is nothing to do, and values of bytes. */
enum { SELF(PIECE) = 1400, SELF(IN_A_TURN) = 64, SELF(PAUSE) = 1000000, SELF(VALUES) = 251 };

/* One of the connections at a time. */
struct SELF(one) {
	__u32 number;	/* 0: none */
	__u64 sent;
};

static bool SELF(begin)(struct SELF(source) *s, struct SELF(one) *one)
{
	const __u64 due = 1 + (__u64)((unsigned __int128)(now() - s->start) * cfg.rate / 1000000000);
	const struct tcp *t;

	if (s->begun >= due || (cfg.limit >= 0 && s->begun >= (__u64)cfg.limit))
		return false;
	t = tcp_connect(connections(), cfg.src, cfg.dst, cfg.dport);
	if (!t)
		return false;
	*one = (struct SELF(one)){t->number, 0};
	s->begun++;
	return true;
}

static void SELF(end)(struct SELF(source) *s, struct SELF(one) *one)
{
	one->number = 0;
	s->over++;
	if (cfg.stop && cfg.limit >= 0 && s->over == (__u64)cfg.limit)
		driver_stop();
}

/* The bytes of a connection from an offset on. */
static void SELF(fill)(__u8 *to, __u32 length, __u64 offset)
{
	for (__u32 i = 0; i < SELF(VALUES) && i < length; i++)
		to[i] = (offset + i) % SELF(VALUES);
	for (__u32 i = SELF(VALUES); i < length; i += SELF(VALUES))
		memcpy(to + i, to, length - i < SELF(VALUES) ? length - i : SELF(VALUES));
}

/* Send as much as there is room for, at most one piece, or the end. False if there was nothing to do. */
static bool SELF(feed)(struct SELF(one) *one, const struct tcp *t)
{
	const __u64 left = cfg.length - one->sent;
	const __u32 length = left < SELF(PIECE) ? left : SELF(PIECE);
	struct pkt *p;

	if (t->shut || t->state < TCP_ESTABLISHED || (left && t->all->buffer - tcp_held(t) < SELF(PIECE)))
		return false;
	p = pkt_new(PKT_HEADROOM, length);
	if (!p)
		return false;
	SELF(fill)(p->data, length, one->sent);
	one->sent += length;
	pkt_set_anno_u32(p, AGGREGATE_ANNO, one->number);
	emit(p, 0);
	return true;
}

static bool SELF(serve)(struct SELF(source) *s, struct SELF(one) *one)
{
	const struct tcp *t = tcp_numbered(connections(), one->number);

	if (t && t->state != TCP_TIME_WAIT)
		return SELF(feed)(one, t);
	if (one->number)
		SELF(end)(s, one);
	return SELF(begin)(s, one);
}

TASK()
{
	struct SELF(source) *s = private(source);
	struct SELF(one) *one = (struct SELF(one) *)s->one;
	bool worked = false;

	for (__u32 i = 0; i < SELF(IN_A_TURN) && i < cfg.connections; i++) {
		worked |= SELF(serve)(s, &one[s->cursor]);
		s->cursor = s->cursor + 1 < cfg.connections ? s->cursor + 1 : 0;
	}
	if (worked)
		task_schedule();
	else
		timer_after(SELF(PAUSE));
	return worked;
}

INIT()
{
	struct SELF(source) *s = private(source);

	s->one = calloc(cfg.connections, sizeof(struct SELF(one)));
	s->start = now();
	task_schedule();
	return s->one ? 0 : -ENOMEM;
}

CLEANUP()
{
	free(private(source)->one);
	private(source)->one = NULL;
}

ELEMENT(TCPSource)
{
	private(source)->received += pkt_len(p);
	pkt_free(p);
	return STOLEN;
}
