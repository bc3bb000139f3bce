#include "tcpudp/fast.inc.h"
#include "tcpudp/flows.inc.h"

#define FLAG_FIN 0x01
#define FLAG_SYN 0x02
#define FLAG_PUSH_ACK 0x18

/* A flow that hasn't ended, or NULL. */
static struct SELF(flow) *SELF(unfinished)(void)
{
	for (__u32 i = 0; i < cfg.flows; i++)
		if ((*SELF(flows))[i].count && (*SELF(flows))[i].count < cfg.flowsize)
			return &(*SELF(flows))[i];
	return NULL;
}

/* After LIMIT packets, every unfinished flow gets a FIN. */
static bool SELF(goes_on)(const struct SELF(fast) *fast)
{
	return !SELF(is_over)(fast) || SELF(unfinished)();
}

static void SELF(choose)(struct SELF(fast) *fast, struct words *words)
{
	struct SELF(flow) *flow = SELF(is_over)(fast) ? SELF(unfinished)() : SELF(pick)();

	if (SELF(is_over)(fast))
		flow->count = cfg.flowsize;
	words->source = flow->source;
	words->destination = flow->destination;
	words->sequence = flow->sequence;
	words->acknowledgement = flow->acknowledgement;
	words->flags = flow->count == 1 ? FLAG_SYN : flow->count == cfg.flowsize ? FLAG_FIN : FLAG_PUSH_ACK;
}
