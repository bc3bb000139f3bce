#include "tcpudp/fast.inc.h"
#include "tcpudp/flows.inc.h"

static bool SELF(goes_on)(const struct SELF(fast) *fast)
{
	return !SELF(is_over)(fast);
}

static void SELF(choose)(struct SELF(fast) *fast, struct words *words)
{
	const struct SELF(flow) *flow = SELF(pick)();

	(void)fast;
	words->source = flow->source;
	words->destination = flow->destination;
}
