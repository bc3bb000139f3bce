/* The ends of a translator's paths. No include guard: the text is compiled for each instance. */
#include "ip6/siit.h"

static __always_inline int SELF(refuse)(void)
{
	return cfg.outputs == 2 ? OUTPUT(1) : DROP(FILTERED);
}

#if USERSPACE
#include "ip6/siithead.h"
#include <string.h>

/* Replaces bytes at the packet's start by the head; the packet has to be finished afterwards. False when out of memory, with
 * nothing changed.
 */
static bool SELF(behead)(struct pkt *p, const struct siit_head *head)
{
	if (head->have > head->replaced && !pkt_push(p, head->have - head->replaced))
		return false;
	if (head->have < head->replaced)
		pkt_pull(p, head->replaced - head->have);
	pkt_trim(p, head->keep + head->have - head->replaced);
	memcpy(p->data, head->bytes, head->have);
	return true;
}
#endif
