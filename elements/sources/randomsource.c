#include "sources/source.inc.h"

static inline struct pkt *SELF(next)(struct SELF(source) *s)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, s->length);

	if (!p)
		return NULL;
	for (__u32 at = 0; at < s->length; at += sizeof(__u32)) {
		__u32 bits = random_u32();

		memcpy(p->data + at, &bits, s->length - at < sizeof(bits) ? s->length - at : sizeof(bits));
	}
	if (cfg.timestamp)
		p->timestamp = wall_clock();
	s->count++;
	return p;
}

#include "sources/infinite.inc.h"
