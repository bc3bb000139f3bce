#include "tcpudp/fast.inc.h"

static int SELF(prepare)(void)
{
	return 0;
}

static bool SELF(goes_on)(const struct SELF(fast) *fast)
{
	return !SELF(is_over)(fast);
}

/* Both ports go up by one after INTERVAL packets. */
static void SELF(choose)(struct SELF(fast) *fast, struct words *words)
{
	__u32 more = cfg.interval ? fast->count / cfg.interval : 0;

	words->source = htons((__u16)(cfg.sport + more));
	words->destination = htons((__u16)(cfg.dport + more));
}
