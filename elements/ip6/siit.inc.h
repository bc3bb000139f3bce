/* The ends of a translator's paths. No include guard: the text is compiled for each instance. */
#include "ip6/siit.h"

static __always_inline int SELF(refuse)(void)
{
	return cfg.outputs == 2 ? OUTPUT(1) : DROP(FILTERED);
}

#if USERSPACE
#include "ip6/siithead.h"
#include <string.h>

/* Moves the quoted packet and its extension, whose distance may change, to their places after the head. The quoted packet never
 * grows by more than its headers shrink.
 */
static void SELF(part)(struct pkt *p, const struct siit_head *head)
{
	if (head->pad > 0) {
		memmove(p->data + head->replaced - head->pad, p->data + head->replaced, head->quoted - head->replaced);
		memset(p->data + head->quoted - head->pad, 0, head->pad);
	} else {
		memmove(p->data + head->quoted + head->pad, p->data + head->quoted, head->extended);
	}
}

/* Replaces the packet's first bytes by the head; the packet must then be finished. False when out of memory. */
static bool SELF(behead)(struct pkt *p, const struct siit_head *head)
{
	const __u32 replaced = head->replaced - (head->pad > 0 ? head->pad : 0);

	if (head->extended)
		SELF(part)(p, head);
	if (head->have > replaced && !pkt_push(p, head->have - replaced))
		return false;
	if (head->have < replaced)
		pkt_pull(p, replaced - head->have);
	pkt_trim(p, siit_length(head));
	memcpy(p->data, head->bytes, head->have);
	return true;
}
#endif
