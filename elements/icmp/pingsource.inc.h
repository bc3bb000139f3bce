/* The base of elements that send pings and time the replies. Included once for each instance, after its class has defined
 *
 *	PING_HEADERS							bytes of the headers before what a ping carries
 *	void SELF(write)(struct pkt *p, const struct SELF(source) *s, __u16 number)	headers of ping `number`, at the packet's start
 *	int SELF(answered)(struct pkt *p)				the number that the packet answers, or -1
 *	void SELF(report)(struct pkt *p, __u32 took)			a line about an answer, after so many microseconds
 */
#include <errno.h>
#include "sources/limit.inc.h"
#include "sources/timed.inc.h"

/* Sequence numbers are never 0. */
static void SELF(finish)(struct pkt *p, const struct SELF(source) *s)
{
	const __u16 number = s->count % 0xffff + 1;

	SELF(write)(p, s, number);
	p->timestamp = wall_clock();
	if (SELF(ninputs))
		private(receiver)->sent[number] = p->timestamp;
}

static struct pkt *SELF(make)(const struct SELF(source) *s)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, PING_HEADERS + cfg.size);

	if (!p)
		return NULL;
	memcpy(p->data + PING_HEADERS, SELF(payload), cfg.size);
	SELF(finish)(p, s);
	return p;
}

TIMER()
{
	struct SELF(source) *s = private(source);
	struct pkt *p;

	s->waiting = false;
	if (SELF(finished)(s)) {
		if (cfg.stop)
			driver_stop();
		return;
	}
	p = SELF(make)(s);
	if (!p)
		return;
	emit(p, 0);
	s->count++;
	SELF(wait)(s, s->due + s->interval);
}

PULL()
{
	struct SELF(source) *s = private(source);
	struct pkt *p;

	if (SELF(finished)(s)) {
		if (cfg.stop && !s->ended)
			driver_stop();
		s->ended = true;
		return NULL;
	}
	p = SELF(make)(s);
	if (p)
		s->count++;
	return p;
}

/* Account for a reply: returns its round trip time in microseconds; 0 without a timestamp. */
static __u32 SELF(account)(struct SELF(receiver) *r, __u64 arrived, __s64 *sent)
{
	__u32 took = 0;

	if (*sent < 0) {
		r->duplicates++;
		*sent = -*sent;
	}
	if (arrived) {
		took = ((__s64)arrived - *sent) / 1000;
		if (took < r->least || !r->received)
			r->least = took;
		if (took > r->most || !r->received)
			r->most = took;
		r->total += took;
		r->squares += (__u64)took * took;
	}
	r->received++;
	*sent = -*sent;
	return took;
}

/* Turn the reply into the next ping. */
static bool SELF(mirror)(struct pkt *p, struct SELF(source) *s)
{
	int offset = pkt_network_offset(p);

	if (offset < 0 ? !pkt_push(p, -offset) : !pkt_pull(p, offset))
		return false;
	if (pkt_len(p) < PING_HEADERS)
		return false;
	SELF(finish)(p, s);
	s->count++;
	return true;
}

static int SELF(receive)(struct pkt *p)
{
	const int number = SELF(answered)(p);
	__s64 *sent;

	if (number < 0)
		return DROP(DISCARDED);
	sent = &private(receiver)->sent[number];
	if (*sent) {
		__u32 took = SELF(account)(private(receiver), p->timestamp, sent);

		if (cfg.verbose)
			SELF(report)(p, took);
	}
	return cfg.mirror && SELF(mirror)(p, private(source)) ? OUTPUT(0) : DROP(DISCARDED);
}

INIT()
{
	struct SELF(source) *s = private(source);

	if (cfg.mirror && !output_is_push(0)) {
		complain("MIRROR needs a push output");
		return -EINVAL;
	}
	if (s->limit && s->active && output_is_push(0))
		SELF(wait)(s, now() + s->interval);
	return 0;
}

CONTROL()
{
	struct SELF(source) *s = private(source);

	if (op == SELF(NEVER)) {
		timer_clear();
		s->waiting = false;
	} else if (!output_is_push(0)) {
		wake_pullers();
	} else if (!s->waiting) {
		SELF(wait)(s, op == SELF(NOW) ? now() : now() + s->interval);
	}
	return 0;
}
