/* TCPSource: connections that send. */
#include <errno.h>
#include <stdlib.h>

/* Bytes to push at a time, connections to process in one run of the task, and its sleep when there is nothing to do. */
#define PIECE 1400
#define IN_A_TURN 64
#define PAUSE 1000000

struct SELF(one) {
	__u32 number;	/* 0: none */
	__u64 sent;
};

static bool SELF(may_begin)(const struct SELF(source) *s, __u64 time)
{
	const __u64 due = 1 + (__u64)((unsigned __int128)(time - s->start) * cfg.rate / 1000000000);

	return s->live < cfg.connections && s->begun < due && (cfg.limit < 0 || s->begun < (__u64)cfg.limit);
}

static bool SELF(begin)(struct SELF(source) *s, struct SELF(one) *one)
{
	const struct tcp *t = tcp_connect(connections(), SELF(own), SELF(peer), cfg.dport);

	if (!t)
		return false;
	*one = (struct SELF(one)){t->number, 0};
	s->begun++;
	s->live++;
	return true;
}

/* The next bytes, or the end. */
static struct pkt *SELF(piece)(struct SELF(one) *one, __u32 length)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, length);
	__u8 byte = one->sent % 251;

	if (!p)
		return NULL;
	for (__u32 i = 0; i < length; i++) {
		p->data[i] = byte;
		byte = byte == 250 ? 0 : byte + 1;
	}
	pkt_set_anno_u32(p, AGGREGATE_ANNO, one->number);
	one->sent += length;
	return p;
}

/* Send as much as there is room for, at most one piece. False if there was nothing to do. */
static bool SELF(feed)(struct SELF(one) *one, const struct tcp *t)
{
	const __u32 room = connections()->buffer - tcp_held(t);
	const __u64 left = cfg.length - one->sent;
	struct pkt *p;

	if (t->shut || t->state < TCP_ESTABLISHED || (left && room < PIECE))
		return false;
	p = SELF(piece)(one, left < PIECE ? left : PIECE);
	if (p)
		emit(p, 0);
	return p;
}

static bool SELF(serve)(struct SELF(source) *s, struct SELF(one) *one, __u64 time)
{
	const struct tcp *t = one->number ? tcp_numbered(connections(), one->number) : NULL;

	if (t && t->state != TCP_TIME_WAIT)
		return SELF(feed)(one, t);
	if (one->number) {
		one->number = 0;
		s->over++;
		s->live--;
		if (cfg.stop && cfg.limit >= 0 && s->over == (__u64)cfg.limit)
			driver_stop();
	}
	return SELF(may_begin)(s, time) && SELF(begin)(s, one);
}

TASK()
{
	struct SELF(source) *s = private(source);
	struct SELF(one) *one = (struct SELF(one) *)s->one;
	const __u64 time = now();
	bool worked = false;

	for (__u32 i = 0; i < IN_A_TURN && i < cfg.connections; i++) {
		worked |= SELF(serve)(s, &one[s->cursor], time);
		s->cursor = s->cursor + 1 < cfg.connections ? s->cursor + 1 : 0;
	}
	if (worked)
		task_schedule();
	else
		timer_after(PAUSE);
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
#undef PIECE
#undef IN_A_TURN
#undef PAUSE
