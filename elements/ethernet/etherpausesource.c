#include "sources/limit.inc.h"
#include "sources/timed.inc.h"

#define PAUSE_FRAME_SIZE 64
#define PAUSE_OPCODE 1	/* IEEE 802.3, annex 31B */

struct SELF(frame) {
	struct ethhdr ethernet;
	__be16 opcode, time;
} __attribute__((packed));

static struct pkt *SELF(make)(struct SELF(source) *s)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, PAUSE_FRAME_SIZE);
	struct SELF(frame) *frame;

	if (!p)
		return NULL;
	memset(p->data, 0, PAUSE_FRAME_SIZE);
	frame = (struct SELF(frame) *)p->data;
	ether_copy(frame->ethernet.h_dest, s->dst);
	ether_copy(frame->ethernet.h_source, s->src);
	frame->ethernet.h_proto = htons(ETH_P_PAUSE);
	frame->opcode = htons(PAUSE_OPCODE);
	frame->time = htons(s->pausetime);
	pkt_set_mac_header(p, 0);
	pkt_set_network_header(p, sizeof(frame->ethernet));
	s->count++;
	return p;
}

TIMER()
{
	struct SELF(source) *s = private(source);
	struct pkt *p;

	s->waiting = false;
	if (!s->active || SELF(finished)(s))
		return;
	p = SELF(make)(s);
	if (p)
		emit(p, 0);
	if (!SELF(finished)(s))
		SELF(wait)(s, s->due + cfg.interval);
}

PULL()
{
	struct SELF(source) *s = private(source);

	return s->active && !SELF(finished)(s) ? SELF(make)(s) : NULL;
}

INIT()
{
	struct SELF(source) *s = private(source);

	if (!output_is_push(0))
		wake_pullers();
	else if (s->active && s->limit)
		SELF(wait)(s, now() + cfg.interval);
	return 0;
}

/* A handler may have made more frames available. */
CONTROL()
{
	struct SELF(source) *s = private(source);

	if (!output_is_push(0))
		wake_pullers();
	else if (s->active && !s->waiting && !SELF(finished)(s))
		SELF(wait)(s, now());
	return 0;
}
